-- The next payments of all series are listed by due date, overdue ones included; the review of due dates reads it too.
CREATE INDEX schedule_entries_open ON tokenization.schedule_entries (due_date) WHERE status <> 'PAID';
DROP INDEX tokenization.schedule_entries_due;
