#!/bin/sh
# Copy a Debian interpreter into an empty folder: the program, its standard library, and the shared libraries that these
# load. The standard library's tests, its manual and its programs for desktops are left out.
#
#     sh interpreter_only.sh PYTHON TARGET
#
# PYTHON is the name of the program, such as python3 or pypy3. TARGET becomes the root folder of an image without a
# shell. There, the program is also called /usr/bin/python. The standard library and TARGET/app are compiled. For
# CPython, only the bytecode is kept, which is half the size (so tracebacks have no source lines). PyPy also needs the
# sources.
set -eu
python=$(command -v "$1")
target=$2
program=$(readlink -f "$python")
library=$("$python" -c 'import os; print(os.path.dirname(os.__file__))')
mkdir -p "$target"

"$python" -m compileall -q "$library"
# Replace links by the files that they lead to. If a link is broken, this fails, and links are copied as links.
cp --recursive --dereference --parents "$library" "$target" 2>/dev/null ||
    cp --recursive --parents "$library" "$target"
for name in idlelib pydoc_data test turtledemo; do
    rm -rf "$target$library/$name"
done
if ! "$python" -c 'import urllib.request' 2>/dev/null; then
    # This Python (python3-minimal) can't use a network, so remove OpenSSL, its largest part. (`hashlib` works without.)
    rm -f "$target$library"/lib-dynload/_ssl.*.so "$target$library"/lib-dynload/_hashlib.*.so
fi
cp --parents "$program" "$target"
mkdir -p "$target/usr/bin"
for name in "$python" /usr/bin/python; do
    [ "$name" = "$program" ] || ln -s "$program" "$target$name"
done

{ echo "$program"; find "$target$library" -name '*.so'; } | while read -r file; do ldd "$file"; done |
    sed -n 's/^[^/]*\(\/[^ ]*\) (0x[0-9a-f]*)$/\1/p' | sort -u |
    while read -r file; do cp --dereference --parents "$file" "$target"; done

# Empty libraries of the C library. Wheels for older releases of the C library load them.
for name in libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1; do
    cp --dereference --parents /lib/*-linux-gnu*/"$name" "$target"
done

if "$python" -c 'import sys; sys.exit(sys.implementation.name == "pypy")'; then
    for folder in "$target$library" "$target/app"; do
        find "$folder" -name __pycache__ -prune -exec rm -r {} +
        "$python" -m compileall -q -b -s "$target" "$folder"
        find "$folder" -name '*.py' -delete
    done
else
    "$python" -m compileall -q -s "$target" "$target/app"
fi
