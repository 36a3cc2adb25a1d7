#!/bin/sh
# Build CPython as one static program, with musl as its C library and all extension modules built in.
#
#     sh static_python.sh SOURCES PACKAGE TARGET
#
# SOURCES has the archives that `apt-get source --download-only python3.13 zlib` downloads. Python is built there.
# PACKAGE is the folder of purebleu, which is compiled. TARGET becomes the root folder of an image. It gets
# usr/bin/python and the modules of the standard library that purebleu imports. The script zip_library.py has to be
# beside this script. Debian's gcc, make, musl-tools and xz-utils are needed.
set -eu
scripts=$(dirname "$(readlink -f "$0")")
sources=$(readlink -f "$1")
package=$(readlink -f "$2")
target=$(readlink -f "$3")
mkdir -p "$sources/zlib" "$sources/python" "$target/usr/bin" "$target/usr/lib"
tar -x --strip-components=1 -C "$sources/zlib" -f "$sources"/zlib_*.orig.tar.*z
tar -x --strip-components=1 -C "$sources/python" -f "$sources"/python3*.orig.tar.*z

# `musl-gcc --print-multiarch` names the machine's own C library. Python's configure would stop at this contradiction.
cat > "$sources/musl-cc" <<'COMPILER'
#!/bin/sh
[ "$1" = --print-multiarch ] || exec musl-gcc "$@"
COMPILER
chmod +x "$sources/musl-cc"
export CC="$sources/musl-cc" AWK=mawk

cd "$sources/zlib"
./configure --static
make -j"$(nproc)" libz.a

cd "$sources/python"
# A static program loads no libraries, so it exports no names for them (LINKFORSHARED).
MODULE_BUILDTYPE=static LINKFORSHARED=" " LDFLAGS="-static -s" \
    ZLIB_CFLAGS="-I$sources/zlib" ZLIB_LIBS="-L$sources/zlib -lz" \
    ./configure --prefix=/usr --disable-shared --disable-test-modules --without-ensurepip --without-doc-strings
make -j"$(nproc)" python
cp python "$target/usr/bin/python"

# Python warns if its library folder lacks these two. (All modules come from the archive.)
mkdir -p "$target/usr/lib/python3.13/lib-dynload"
: > "$target/usr/lib/python3.13/os.py"

export PYTHONPATH="$sources/python/Lib"
python=$target/usr/bin/python
"$python" "$scripts/zip_library.py" "$PYTHONPATH" "$package" "$target/usr/lib/python313.zip"
"$python" -m compileall -q -s "$target" "$package"
