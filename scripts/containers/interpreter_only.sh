#!/bin/sh
# Copy an interpreter of Debian to where nothing else is: the program, its library without its tests, its own manual and
# programs for desktops, and the shared libraries that these load.
#
#     sh interpreter_only.sh PYTHON TARGET
#
# PYTHON is the name of the program, such as python3 or pypy3. TARGET becomes the root folder of an image without a
# shell, where it is /usr/bin/python, too. The library is compiled, and so is TARGET/app. CPython gets the bytecode alone,
# which is half the size (a traceback then has no lines of source); PyPy needs the sources, too.
set -eu
python=$(command -v "$1")
target=$2
program=$(readlink -f "$python")
library=$("$python" -c 'import os; print(os.path.dirname(os.__file__))')
mkdir -p "$target"

"$python" -m compileall -q "$library"
# Files that links lead to are copied in their place; where a link leads nowhere, links stay links.
cp --recursive --dereference --parents "$library" "$target" 2>/dev/null ||
    cp --recursive --parents "$library" "$target"
for name in idlelib pydoc_data test turtledemo; do
    rm -rf "$target$library/$name"
done
if ! "$python" -c 'import urllib.request' 2>/dev/null; then
    # Nothing can be fetched (python3-minimal): OpenSSL is the largest part, and `hashlib` has functions of its own.
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

# Empty shells of the C library, which wheels for older releases of it still ask for.
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
