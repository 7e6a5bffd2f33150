#!/bin/sh
# PostgreSQL's archive_command: stores a finished segment of the write-ahead log in $ARCHIVE/wal.
#   archive_command = 'ARCHIVE=/srv/archive /opt/lastro/deploy/backup/archive-wal.sh %p %f'
# Succeeds when the segment is stored, also by an earlier call. Never overwrites: a segment of the same name with other content belongs to another server.
set -eu
: "${ARCHIVE:?the folder of the archive}"
from=$1
to=$ARCHIVE/wal/$2
mkdir -p "$ARCHIVE/wal"

if [ -e "$to" ]; then
  cmp -s "$from" "$to" && exit 0
  echo "$to exists with other content: does another server use this archive?" >&2
  exit 1
fi

# Under another name until it is complete and on disk, so that a crash leaves no half segment behind.
part=$to.$$.part
trap 'rm -f "$part"' EXIT
cp "$from" "$part"
sync "$part"
mv "$part" "$to"
sync "$ARCHIVE/wal"
