-- The token of the claim under which a message is sent: a claim that ran out writes nothing more.
ALTER TABLE shared.mails ADD COLUMN lease uuid;
