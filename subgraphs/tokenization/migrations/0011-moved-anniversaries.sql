-- Calendar days between anniversaries that are moved to business days.
ALTER TABLE tokenization.tranches DROP CONSTRAINT tranches_index_pro_rata_check;
ALTER TABLE tokenization.tranches ADD CONSTRAINT tranches_index_pro_rata_check
  CHECK (index_pro_rata IN ('BUSINESS_DAYS', 'CALENDAR_DAYS', 'CALENDAR_DAYS_FOLLOWING'));
