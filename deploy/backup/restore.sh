#!/bin/sh
# Restores the database into an empty folder, as it was at a moment, or as late as the archive reaches:
#   ARCHIVE=/srv/archive restore.sh /var/lib/postgresql/17/restored '2026-11-26 14:03:00+00'
# Then start PostgreSQL on that folder: it applies the log up to the moment and opens the database. Run it as the user that runs PostgreSQL.
# A restored database that writes to the archive begins a new timeline there. A third argument says which one to follow: `latest`, which is the default,
# `current`, which is that of the backup, or a number. After a restore to too early a moment, name the timeline before it to reach a later one.
set -eu
usage="Usage: ARCHIVE=<folder> restore.sh <empty folder> [<moment, or '' for the end of the log> [latest|current|<number of a timeline>]]"
if [ $# -lt 1 ] || [ $# -gt 3 ]; then
  echo "$usage" >&2
  exit 1
fi
: "${ARCHIVE:?the folder of the archive}"
to=$1
moment=${2:-}
timeline=${3:-latest}
umask 077

case $timeline in
latest | current) ;;
*[!0-9]*)
  echo "$timeline is not a timeline. $usage" >&2
  exit 1
  ;;
esac

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
# A backup that a standby took would go on as one: it would never open, and follow the primary of that time.
rm -f "$to/standby.signal"
# Last in the file that PostgreSQL reads last; an earlier restore may have left other values.
cat >>"$to/postgresql.auto.conf" <<END
restore_command = 'cp "$ARCHIVE/wal/%f" "%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
recovery_target_timeline = '$timeline'
primary_conninfo = ''
primary_slot_name = ''
END
touch "$to/recovery.signal"
echo "$to: from the backup $base, up to ${moment:-the end of the log} on the timeline $timeline. Start PostgreSQL on it."
