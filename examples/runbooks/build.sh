#!/bin/sh
# What is to be built: it needs a greeting.
set -eu
[ -f greeting.txt ] || { echo "greeting.txt is missing" >&2; exit 1; }
sed 's/^/> /' greeting.txt > built.txt
echo "built"
