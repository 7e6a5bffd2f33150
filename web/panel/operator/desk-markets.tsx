import { Badge, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import type { DeskData, DeskParts } from './desk-parts.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

/** The markets, each with its halt. */
export function Markets({ rows, mayAct, isBusy, run, ask }: DeskParts & { readonly rows: DeskData['tradingMarkets'] }) {
  const { desk: text } = operatorTexts.get();
  return (
    <Section id="markets" title={text.markets}>
      <Table
        caption={text.markets}
        rows={rows}
        keyOf={({ symbol }) => symbol}
        empty={text.noMarkets}
        columns={[
          { label: text.market, kind: 'nowrap', cell: ({ symbol }) => symbol },
          {
            label: text.status,
            kind: 'wide',
            cell: ({ status, haltReason }) => (
              <>
                <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge> {haltReason ?? ''}
              </>
            ),
          },
          {
            label: text.acts,
            cell: ({ symbol, status }) =>
              !mayAct ? null : status === 'ACTIVE' ? (
                <Button
                  label={`${text.halt} ${symbol}`}
                  onPress={() => {
                    ask({
                      title: `${text.halt} ${symbol}`,
                      act: text.halt,
                      text: <p>{text.haltText}</p>,
                      run: (reason) => graph.mutate('haltMarket', { symbol, reason }),
                    });
                  }}
                >
                  {text.halt}
                </Button>
              ) : (
                <Button
                  label={`${text.resume} ${symbol}`}
                  isBusy={isBusy}
                  onPress={() => {
                    run(() => graph.mutate('resumeMarket', { symbol }));
                  }}
                >
                  {text.resume}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  );
}
