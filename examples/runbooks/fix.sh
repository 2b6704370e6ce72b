#!/bin/sh
# A stand-in for an agent: finds what is missing, asks, and mends it.
set -eu
echo "Looking at what does not build ..."
if [ -f greeting.txt ]; then
  echo "Nothing to do."
  exit 0
fi
echo "greeting.txt is missing."
printf 'Do you want to create greeting.txt? [y/n] '
read -r answer
case $answer in
  y*) echo "hello" > greeting.txt && echo "Created." ;;
  *) echo "Left as it is." && exit 3 ;;
esac
