-- The records that an import changed, by pages: see `shared.order_by_act`.
SELECT shared.order_by_act('tokenization.patrimonies', '{id}');
SELECT shared.order_by_act('tokenization.tranches', '{id}');
SELECT shared.order_by_act('tokenization.schedule_entries', '{tranche_id,installment_number}');
SELECT shared.order_by_act('tokenization.assets', '{id}');
SELECT shared.order_by_act('tokenization.asset_installments', '{asset_id,installment_number}');
-- Its rows never change: it has no table of versions.
CREATE INDEX index_values_of_act ON tokenization.index_values (recorded_by, index_name, date) WHERE recorded_by IS NOT NULL;
