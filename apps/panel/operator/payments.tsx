import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { AddressForm } from '../frame/address.js';
import { seriesParameters } from './parameters.js';
import { isZero, sumOf } from '../trading/price.js';
import { Badge, Empty, Facts, noted, Section, Table, TableSection, type Column } from '../../design/basics.js';
import { Button, TextInput } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { date, decimal, language, money, today } from '../frame/language.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import { Loaded, Note, PageHead, textOf, useNote } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { ChargeFacts, entryName, PaperEvents, Status, type Series } from './paper-events.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';
type Entry = Series['schedule']['nodes'][number];
type PricedSeries = NonNullable<NonNullable<Operations['trancheSeries']['data']['tranche']>['series']>;

const page = '/operacao/pagamentos';

export function Payments() {
  const { payments: text, words } = operatorTexts.get();
  const { ticker } = seriesParameters(useSearch({ strict: false }));
  return (
    <>
      <PageHead
        title={ticker ?? words.payments}
        lead={ticker === undefined ? text.lead : <Link to={page}>{words.payments}</Link>}
      />
      <AddressForm to={page} label={text.series} submit={text.show} fields={['ticker']} read={seriesParameters}>
        {() => (
          <TextInput name="ticker" label={text.series} defaultValue={ticker ?? ''} maxLength={40} autoComplete="off" />
        )}
      </AddressForm>
      {ticker === undefined ? <DuePayments /> : <SeriesPayments key={ticker} ticker={ticker} />}
    </>
  );
}

function DuePayments() {
  const { payments: text, words } = operatorTexts.get();
  const query = useQuery(graph, 'duePayments', { locale: language.graph });
  const columns: Column<Operations['duePayments']['data']['overdue']['nodes'][number]>[] = [
    {
      label: text.series,
      kind: 'nowrap',
      cell: ({ trancheTicker }) => (
        <Link to={page} search={{ ticker: trancheTicker }}>
          {trancheTicker}
        </Link>
      ),
    },
    { label: text.instalment, kind: 'number', cell: entryName },
    {
      label: text.due,
      kind: 'nowrap',
      cell: ({ dueDate, daysLate }) =>
        noted(date(dueDate), daysLate === null ? null : text.daysLate(decimal(daysLate))),
    },
    { label: words.status, cell: (row) => <Status row={row} /> },
    { label: text.open, kind: 'number', cell: ({ openValue }) => money(openValue) },
  ];
  return (
    <>
      <Loaded query={query}>
        {({ overdue, next }) =>
          ([['overdue', overdue] as const, ['next', next] as const] as const).map(([name, { nodes }]) => (
            <TableSection
              key={name}
              id={name}
              title={text[name]}
              rows={nodes}
              keyOf={(row) => `${row.trancheTicker} ${entryName(row)}`}
              empty={text.none}
              columns={columns}
            />
          ))
        }
      </Loaded>
      <PriceDifferences />
    </>
  );
}

function SeriesPayments({ ticker }: { readonly ticker: string }) {
  const { payments: text, words } = operatorTexts.get();
  const query = useQuery(graph, 'seriesPayments', { ticker, locale: language.graph });
  // This query fails where the series is not published.
  const named = useQuery(graph, 'trancheSeries', { ticker, locale: language.graph });
  const series = named.data?.tranche?.series ?? null;
  const [note, onDone] = useNote(() => {
    query.reload();
    named.reload();
  });
  const refresh = (
    <Button isBusy={query.isLoading} onPress={query.reload}>
      {words.refresh}
    </Button>
  );
  return (
    <>
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ tranche }) =>
          tranche === null ? (
            <Empty>{text.unknown}</Empty>
          ) : (
            <>
              <Section id="series" title={tranche.name} links={refresh}>
                <Facts items={[[text.arrears, money(tranche.overdueValue, 8)]]} />
              </Section>
              {series === null ? null : <SeriesPricing series={series} onDone={onDone} />}
              <PaperEvents tranche={tranche} followers={series?.operation.followers ?? null} onDone={onDone} />
              <TableSection
                id="schedule"
                title={text.schedule}
                rows={tranche.schedule.nodes}
                keyOf={entryName}
                empty={text.none}
                columns={columnsOf({ ticker: tranche.ticker, onDone })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

interface Parts {
  readonly ticker: string;
  readonly onDone: (said: string) => void;
}

function columnsOf(parts: Parts): Column<Entry>[] {
  const { payments: text, words } = operatorTexts.get();
  return [
    { label: text.instalment, kind: 'number', cell: entryName },
    { label: text.due, kind: 'nowrap', cell: ({ dueDate }) => date(dueDate) },
    { label: words.status, cell: (row) => <Status row={row} /> },
    { label: text.total, kind: 'number', cell: ({ totalValue }) => money(totalValue) },
    { label: text.open, kind: 'number', cell: ({ openValue }) => money(openValue) },
    { label: words.payments, kind: 'wide', cell: (row) => <PaymentList {...parts} row={row} /> },
    {
      label: words.acts,
      cell: (row) =>
        row.status === 'PAID' || row.projected || row.totalValue === null ? null : <Pay {...parts} row={row} />,
    },
  ];
}

function PaymentList({ ticker, row, onDone }: Parts & { readonly row: Entry }) {
  const { payments: text } = operatorTexts.get();
  const name = entryName(row);
  return row.payments.map(({ id, paidOn, amount, interest, principal, reference, reversedAt, reversalReason }) => {
    const title = `${date(paidOn)} ${money(amount)}`;
    const beyond = sumOf([amount, `-${interest}`, `-${principal}`]);
    return (
      <span key={id ?? ''} className="row">
        <span>
          {title}
          {isZero(beyond) ? '' : `, ${text.beyond(money(beyond))}`}{' '}
          <span className="sub">{id === null ? text.imported : reference}</span>
        </span>
        {reversedAt === null ? (
          <ReasonButton
            act={text.reverse}
            label={`${text.reverse} ${name} ${title}`}
            title={`${text.reverse}: ${title}`}
            text={text.reverseText}
            run={(reason) => graph.mutate('reversePayment', { ticker, ...keyOf(row), reason, paymentId: id })}
            onDone={() => onDone(text.wasReversed)}
          />
        ) : (
          <span className="small muted">{text.reversed(reversalReason ?? '')}</span>
        )}
      </span>
    );
  });
}

const keyOf = ({ installmentNumber, event }: Entry) => (event === null ? { installmentNumber } : { event });

function Pay({ ticker, row, onDone }: Parts & { readonly row: Entry }) {
  const { payments: text, words } = operatorTexts.get();
  return (
    <ActButton
      button="main"
      label={`${text.pay} ${entryName(row)}`}
      title={`${text.pay}: ${ticker} ${entryName(row)}`}
      act={text.pay}
      fields={['paidOn', 'amount', 'lateCharges', 'expenses', 'premium', 'reference']}
      run={(values) =>
        graph.mutate('recordPayment', {
          ticker,
          ...keyOf(row),
          paidOn: textOf(values, 'paidOn'),
          amount: numberOf(values, 'amount'),
          lateCharges: numberOf(values, 'lateCharges'),
          expenses: numberOf(values, 'expenses'),
          premium: numberOf(values, 'premium'),
          reference: textOf(values, 'reference').trim() || null,
        })
      }
      onDone={() => onDone(text.recorded)}
    >
      <PaidOn ticker={ticker} row={row} />
      <NumberInput name="amount" label={text.amount} hint={text.amountHint} />
      <NumberInput name="lateCharges" label={text.lateCharges} />
      <NumberInput name="expenses" label={text.expenses} />
      <NumberInput name="premium" label={text.premium} />
      <TextInput
        name="reference"
        label={words.reference}
        hint={text.referenceHint}
        maxLength={100}
        autoComplete="off"
      />
    </ActButton>
  );
}

function PaidOn({ ticker, row }: { readonly ticker: string; readonly row: Entry }) {
  const { payments: text } = operatorTexts.get();
  const [paidOn, setPaidOn] = useState(today);
  return (
    <>
      <TextInput name="paidOn" type="date" label={text.paidOn} value={paidOn} onChange={setPaidOn} isRequired />
      <Facts items={[[text.open, money(row.openValue)]]} />
      {paidOn === '' ? null : <LateCharges ticker={ticker} row={row} on={paidOn} />}
    </>
  );
}

function LateCharges(props: { readonly ticker: string; readonly row: Entry; readonly on: string }) {
  const { ticker, row, on } = props;
  const { payments: text } = operatorTexts.get();
  const query = useQuery(graph, 'lateCharges', { ticker, due: row.dueDate, on });
  return (
    <Loaded query={query}>
      {({ tranche }) => {
        const entry = tranche?.schedule.nodes.find((one) => entryName(one) === entryName(row));
        const charges = entry?.lateCharges ?? null;
        return charges === null ? <p className="small muted">{text.noCharges}</p> : <ChargeFacts charges={charges} />;
      }}
    </Loaded>
  );
}

function SeriesPricing(props: { readonly series: PricedSeries; readonly onDone: (said: string) => void }) {
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

function PriceDifferences() {
  const { pricing: text, words } = operatorTexts.get();
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
              { label: words.date, kind: 'nowrap', cell: (row) => date(row.date) },
              { label: text.typed, kind: 'number', cell: ({ value }) => decimal(value, 8) },
              { label: text.computed, kind: 'number', cell: ({ engineValue }) => decimal(engineValue, 8) },
              { label: text.difference, kind: 'number', cell: ({ difference }) => decimal(difference, 8) },
              { label: words.reason, kind: 'wide', cell: ({ reason }) => reason ?? '—' },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
