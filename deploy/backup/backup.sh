#!/bin/sh
# Takes a base backup of the server that PGHOST, PGPORT and PGUSER name into $ARCHIVE/base/<time at which it ended>, verifies it, and then removes the
# oldest ones beyond KEEP (14) with the log that only they need. The role needs the attribute REPLICATION.
# With METRICS it also writes a file for the text collector of Prometheus' node exporter.
set -eu
: "${ARCHIVE:?the folder of the archive}"
keep=${KEEP:-14}
begun=$(date +%s)
umask 077
mkdir -p "$ARCHIVE/base" "$ARCHIVE/wal"

part=$ARCHIVE/base/.part
rm -rf "$part"
# The log that is written meanwhile comes with it, so that a backup can be restored without the archive.
pg_basebackup --pgdata="$part" --checkpoint=fast --wal-method=stream --manifest-checksums=SHA256 --no-password
pg_verifybackup --quiet "$part"
name=$(date -u +%Y%m%dT%H%M%SZ)
mv "$part" "$ARCHIVE/base/$name"
sync "$ARCHIVE/base"

# Names are times: in their order, the oldest first.
ls "$ARCHIVE/base" | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm -rf "${ARCHIVE:?}/base/$old"
done
oldest=$(ls "$ARCHIVE/base" | sort | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$ARCHIVE/base/$oldest/backup_label")
pg_archivecleanup "$ARCHIVE/wal" "$first"

bytes=$(($(du -sk "$ARCHIVE/base/$name" | cut -f 1) * 1024))
seconds=$(($(date +%s) - begun))
if [ -n "${METRICS:-}" ]; then
  {
    echo '# HELP lastro_backup_end_time_seconds When the last successful base backup ended.'
    echo '# TYPE lastro_backup_end_time_seconds gauge'
    echo "lastro_backup_end_time_seconds $(date +%s)"
    echo '# HELP lastro_backup_duration_seconds How long it took.'
    echo '# TYPE lastro_backup_duration_seconds gauge'
    echo "lastro_backup_duration_seconds $seconds"
    echo '# HELP lastro_backup_bytes Its size.'
    echo '# TYPE lastro_backup_bytes gauge'
    echo "lastro_backup_bytes $bytes"
  } >"$METRICS.part"
  chmod 644 "$METRICS.part"
  mv "$METRICS.part" "$METRICS"
fi
echo "$ARCHIVE/base/$name: $bytes bytes in $seconds s"
