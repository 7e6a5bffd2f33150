import { Badge, Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { date, decimal } from '../frame/language.js';
import { Loaded } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { ReasonButton } from './reason-dialog.js';
import { operatorTexts } from './texts.js';

export type PricedSeries = NonNullable<NonNullable<Operations['trancheSeries']['data']['tranche']>['series']>;

/** Where the prices of the series come from that a tranche names. */
export function SeriesPricing(props: { readonly series: PricedSeries; readonly onDone: (said: string) => void }) {
  const { ticker, pricing, pricingLabel, pricingReason } = props.series;
  const { pricing: text } = operatorTexts.get();
  const other = pricing === 'ENGINE' ? 'TYPED' : 'ENGINE';
  const change = (
    <ReasonButton
      act={text.acts[other]}
      title={`${text.acts[other]}: ${ticker}`}
      text={text.explained[other]}
      run={(reason) => graph.mutate('setSeriesPricing', { ticker, pricing: other, reason })}
      onDone={() => props.onDone(text.changed(ticker))}
    />
  );
  return (
    <Section id="pricing" title={`${text.title} ${ticker}`} links={change}>
      <p>
        <Badge tone={pricing === 'ENGINE' ? 'good' : 'warn'}>{pricingLabel}</Badge> {pricingReason}
      </p>
    </Section>
  );
}

/** The typed prices that differ from those of the engine. */
export function PriceDifferences() {
  const { pricing: text, events } = operatorTexts.get();
  const query = useQuery(graph, 'typedPriceDifferences', {});
  return (
    <Section id="differences" title={text.differences}>
      <Loaded query={query}>
        {({ typedPriceDifferences }) => (
          <Table
            caption={text.differences}
            rows={typedPriceDifferences}
            keyOf={(row) => `${row.seriesTicker} ${row.date}`}
            empty={text.none}
            columns={[
              { label: text.series, kind: 'nowrap', cell: ({ seriesTicker }) => seriesTicker },
              { label: events.priceDay, kind: 'nowrap', cell: (row) => date(row.date) },
              { label: text.typed, kind: 'number', cell: ({ value }) => decimal(value, 8) },
              { label: text.computed, kind: 'number', cell: ({ engineValue }) => decimal(engineValue, 8) },
              { label: text.difference, kind: 'number', cell: ({ difference }) => decimal(difference, 8) },
              { label: events.reason, kind: 'wide', cell: ({ reason }) => reason ?? '—' },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
