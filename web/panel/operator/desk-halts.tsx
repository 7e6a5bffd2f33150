import { Badge, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { moment } from '../frame/language.js';
import type { DeskData, DeskParts } from './desk-parts.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

/** The kill switch, which halts all trading. */
export function KillSwitch(props: DeskParts & { readonly status: DeskData['tradingStatus'] }) {
  const { status, mayAct } = props;
  const { exceptions: text } = operatorTexts.get();
  return (
    <Section id="trading" title={text.trading} links={mayAct ? <Switch {...props} /> : undefined}>
      <p>
        <Badge tone={status.halted ? 'bad' : 'good'}>{status.halted ? text.halted : text.runs}</Badge>{' '}
        {status.halted ? `${status.reason ?? ''} · ${text.since(moment(status.changedAt))}` : null}
      </p>
    </Section>
  );
}

function Switch({ status, isBusy, run, ask }: DeskParts & { readonly status: DeskData['tradingStatus'] }) {
  const { exceptions: text } = operatorTexts.get();
  return status.halted ? (
    <Button
      isBusy={isBusy}
      onPress={() => {
        run(() => graph.mutate('resumeTrading', {}));
      }}
    >
      {text.resumeTrading}
    </Button>
  ) : (
    <Button
      kind="danger"
      onPress={() => {
        ask({
          title: text.haltTrading,
          act: text.haltTrading,
          text: <p>{text.haltTradingText}</p>,
          run: (reason) => graph.mutate('haltTrading', { reason }),
        });
      }}
    >
      {text.haltTrading}
    </Button>
  );
}

/** The currencies that the reconciliation has halted. */
export function CurrencyHalts(props: DeskParts & { readonly rows: DeskData['currencyHalts'] }) {
  const { rows, mayAdminister, ask } = props;
  const { desk, exceptions: text } = operatorTexts.get();
  return (
    <Section id="currencies" title={text.currencies}>
      <Table
        caption={text.currencies}
        rows={rows}
        keyOf={({ currency, synthetic }) => `${currency} ${String(synthetic)}`}
        empty={text.noCurrencies}
        columns={[
          {
            label: desk.currency,
            kind: 'nowrap',
            cell: ({ currency, synthetic }) => (synthetic ? `${currency} (${text.synthetic})` : currency),
          },
          { label: text.reason, kind: 'wide', cell: ({ reason }) => reason },
          { label: text.haltedAt, kind: 'nowrap', cell: ({ haltedAt }) => moment(haltedAt) },
          {
            label: desk.acts,
            cell: ({ currency, synthetic }) =>
              mayAdminister ? (
                <Button
                  label={`${desk.resume} ${currency}`}
                  onPress={() => {
                    ask({
                      title: `${desk.resume} ${currency}`,
                      act: desk.resume,
                      text: <p>{text.resumeCurrencyText}</p>,
                      run: (reason) => graph.mutate('resumeCurrency', { currency, synthetic, reason }),
                    });
                  }}
                >
                  {desk.resume}
                </Button>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}
