#!/bin/sh
# Restores the database into an empty folder, as it was at a moment, or as late as the archive reaches:
#   ARCHIVE=/srv/archive restore.sh /var/lib/postgresql/17/restored '2026-11-26 14:03:00+00'
# Then start PostgreSQL on that folder: it applies the log up to the moment and opens the database. Run it as the user that runs PostgreSQL.
set -eu
: "${ARCHIVE:?the folder of the archive}"
to=$1
moment=${2:-}
umask 077

if [ -e "$to" ] && [ -n "$(ls -A "$to")" ]; then
  echo "$to is not empty: nothing was restored." >&2
  exit 1
fi
# The last backup that ended before the moment. Names are times in UTC.
until=9
if [ -n "$moment" ]; then until=$(date -u -d "$moment" +%Y%m%dT%H%M%SZ); fi
base=$(ls "$ARCHIVE/base" | sort | awk -v until="$until" '$0 < until' | tail -n 1)
if [ -z "$base" ]; then
  echo "No base backup in $ARCHIVE/base ended before ${moment:-now}." >&2
  exit 1
fi

mkdir -p "$to"
cp -R "$ARCHIVE/base/$base/." "$to"
chmod 700 "$to"
# Last in the file that PostgreSQL reads last; an earlier restore may have left other values.
cat >>"$to/postgresql.auto.conf" <<END
restore_command = 'cp "$ARCHIVE/wal/%f" "%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
recovery_target_timeline = 'latest'
END
touch "$to/recovery.signal"
echo "$to: from the backup $base, up to ${moment:-the end of the log}. Start PostgreSQL on it."
