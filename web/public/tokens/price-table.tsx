import { Table } from '../../design/table.js';
import type { Operations } from '../graph/operations.js';
import type { Locale } from '../locale.js';
import { addressOf } from '../page.js';
import { priceDecimals } from '../price-chart.js';

type Price = NonNullable<Operations['tranchePrices']['data']['tranche']>['unitPrices']['nodes'][number];

/** Unit prices with the factors that made them, newest first; each day leads to its page. */
export function PriceTable(props: {
  readonly prices: readonly Price[];
  readonly locale: Locale;
  readonly action: string;
  readonly asOf: string | undefined;
}) {
  const { prices, locale, action, asOf } = props;
  const { text } = locale;
  return (
    <Table
      caption={text.price.table}
      rows={[...prices].reverse()}
      keyOf={({ date }) => date}
      empty={text.operation.noPrice}
      columns={[
        {
          label: text.table.date,
          kind: 'nowrap',
          cell: ({ date }) => <a href={addressOf(`${action}/pu/${date}`, { asOf })}>{locale.date(date)}</a>,
        },
        {
          label: text.table.unitPrice,
          kind: 'number',
          cell: ({ unitPrice }) => locale.decimal(unitPrice, priceDecimals),
        },
        {
          label: text.tranche.nominal,
          kind: 'number',
          cell: ({ nominalValue }) => locale.decimal(nominalValue, priceDecimals),
        },
        {
          label: text.tranche.accrued,
          kind: 'number',
          cell: ({ interestJ }) => locale.decimal(interestJ, priceDecimals),
        },
        { label: text.tranche.index, kind: 'number', cell: ({ indexFactor }) => locale.decimal(indexFactor) },
        { label: text.tranche.di, kind: 'number', cell: ({ diFactor }) => locale.decimal(diFactor) },
        { label: text.tranche.spread, kind: 'number', cell: ({ spreadFactor }) => locale.decimal(spreadFactor) },
        {
          label: text.tranche.interestFactor,
          kind: 'number',
          cell: ({ interestFactor }) => locale.decimal(interestFactor),
        },
        { label: text.tranche.businessDays, kind: 'number', cell: ({ businessDays }) => businessDays },
      ]}
    />
  );
}
