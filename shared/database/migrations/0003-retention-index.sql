-- What retention asks of mail: when it ended.
DROP INDEX shared.mails_ended;
CREATE INDEX mails_ended ON shared.mails (coalesce(sent_at, failed_at)) WHERE sent_at IS NOT NULL OR failed_at IS NOT NULL;
