import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react';
import { Badge, Facts, noted, Stats, Table, TableSection, type Column } from '../../design/basics.js';
import { Button, Dialog, SelectInput, TextInput, valueIn } from '../../design/controls/controls.js';
import { DialogButton } from '../frame/ask.js';
import { date, decimal, language, money, plural } from '../frame/language.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import { Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { operatorTexts } from '../texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { ReasonButton } from './reason-button.js';
import { Receiver } from './webhooks.js';

export type Series = NonNullable<Operations['seriesPayments']['data']['tranche']>;
type PaperEvent = Series['events'][number];
type Entry = Series['schedule']['nodes'][number];
type Preview = NonNullable<Operations['previewTrancheEvent']['data']['previewTrancheEvent']>;
type Charges = NonNullable<Preview['lateCharges']>;
type Terms = Operations['declareTrancheEvent']['variables'];
type Kind = Terms['kind'];

/** Returns the name of an entry of a schedule: its event's number, or its instalment's. */
export function entryName({ installmentNumber, event }: Pick<Entry, 'installmentNumber' | 'event'>): string {
  return event ?? decimal(installmentNumber);
}

const tones = { PENDING: 'plain', PARTIALLY_PAID: 'warn', PAID: 'good', OVERDUE: 'bad' } as const;

export function Status({ row: { status, statusLabel } }: { readonly row: Pick<Entry, 'status' | 'statusLabel'> }) {
  return <Badge tone={tones[status]}>{statusLabel}</Badge>;
}

export function ChargeFacts({ charges: { fine, mora, remuneration, total } }: { readonly charges: Charges }) {
  const { payments: text } = operatorTexts.get();
  const known = (value: string | null) => (value === null ? text.waitsForIndex : money(value));
  return (
    <Facts
      items={[
        [text.fine, money(fine)],
        [text.mora, money(mora)],
        [text.remuneration, known(remuneration)],
        [text.chargesTotal, known(total)],
      ]}
    />
  );
}

interface Parts {
  readonly tranche: Series;
  /** Accounts that follow the operation of the series; null where none is published. */
  readonly followers: number | null;
  readonly onDone: (said: string) => void;
}

export function PaperEvents(parts: Parts) {
  const { events: text, words } = operatorTexts.get();
  const declare = (
    <DialogButton act={text.declare}>{({ onClose }) => <DeclareEvent {...parts} onClose={onClose} />}</DialogButton>
  );
  return (
    <TableSection
      id="events"
      title={words.events}
      links={declare}
      rows={parts.tranche.events}
      keyOf={({ number }) => number}
      empty={text.none}
      columns={columnsOf(parts)}
    />
  );
}

function columnsOf(parts: Parts): Column<PaperEvent>[] {
  const { events: text, words } = operatorTexts.get();
  return [
    { label: words.event, cell: ({ number }) => number },
    { label: words.kind, cell: ({ kindLabel }) => kindLabel },
    {
      label: text.date,
      kind: 'nowrap',
      cell: ({ day, through }) => (through === null ? date(day) : `${date(day)} – ${date(through)}`),
    },
    { label: text.terms, cell: (event) => termsLine(event) || '—' },
    { label: words.total, kind: 'number', cell: ({ entry }) => money(entry?.totalValue ?? null) },
    { label: words.status, cell: (event) => <EventStatus event={event} /> },
    { label: words.reason, kind: 'wide', cell: ({ reason, document }) => noted(reason, document) },
    { label: words.acts, cell: (event) => <Withdraw {...parts} event={event} /> },
  ];
}

function termsLine(
  event: Pick<PaperEvent, 'installmentNumber' | 'percent' | 'quantity' | 'lot'> &
    Pick<PaperEvent, 'interestEventLabel' | 'premiumRuleLabel' | 'premiumPercent'>,
): string {
  const { events: text } = operatorTexts.get();
  const { installmentNumber, percent, quantity, lot, interestEventLabel, premiumRuleLabel, premiumPercent } = event;
  return [
    installmentNumber === null ? null : text.ofInstalment(decimal(installmentNumber)),
    percent === null ? null : `${decimal(percent)}%`,
    quantity === null
      ? null
      : plural(Number(quantity), { ...text.units, other: text.units.other.replace('#', decimal(quantity)) }),
    lot === null ? null : text.ofLot(lot),
    interestEventLabel === null ? null : text.ofInterest(interestEventLabel.toLowerCase()),
    premiumRuleLabel === null ? null : text.ofPremium(`${decimal(premiumPercent)}%`, premiumRuleLabel.toLowerCase()),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

function EventStatus({ event: { withdrawnAt, withdrawalReason, entry } }: { readonly event: PaperEvent }) {
  const { events: text } = operatorTexts.get();
  if (withdrawnAt === null) return entry === null ? <Badge>{text.stands}</Badge> : <Status row={entry} />;
  return noted(<Badge>{text.withdrawn}</Badge>, withdrawalReason);
}

function Withdraw({ event, tranche, onDone }: Parts & { readonly event: PaperEvent }) {
  const { events: text } = operatorTexts.get();
  const { number, kindLabel, withdrawnAt, entry } = event;
  if (withdrawnAt !== null || entry?.status === 'PAID' || entry?.status === 'PARTIALLY_PAID') return null;
  return (
    <ReasonButton
      act={text.withdraw}
      label={`${text.withdraw} ${number}`}
      title={`${text.withdraw}: ${number}, ${kindLabel}`}
      text={text.withdrawText}
      run={(reason) => graph.mutate('withdrawTrancheEvent', { ticker: tranche.ticker, number, reason })}
      onDone={() => onDone(text.wasWithdrawn(number))}
    />
  );
}

/** A finished simulation: the terms to declare, an idempotency key, and the preview. */
interface Simulated {
  readonly terms: Terms;
  readonly key: string;
  readonly preview: Preview;
}

/** Declares an event in two steps: what it would change, then exactly that. */
function DeclareEvent({ tranche, followers, onClose, onDone }: Parts & { readonly onClose: () => void }) {
  const { events: text, payments, words } = operatorTexts.get();
  const action = useAction();
  const [kind, setKind] = useState<Kind>('EXTRA_AMORTIZATION');
  const dayLabels: Partial<Record<Kind, string>> = { GRACE: text.firstDay, LATE_PAYMENT: payments.paidOn };
  const [simulated, setSimulated] = useState<Simulated>();
  const edits = useRef(0);
  const simulate = async (values: FormData) => {
    const edit = edits.current;
    const terms = readTerms(values, tranche.ticker, kind);
    const amount = numberOf(values, 'amount', 'BRL');
    const variables = { ...terms, amount, locale: language.graph };
    const { previewTrancheEvent: preview } = await graph.query('previewTrancheEvent', variables);
    // An event by amount is declared with the percentage that the preview showed.
    const shown = { ...terms, percent: preview.event.percent };
    if (edit === edits.current) setSimulated({ terms: shown, key: crypto.randomUUID(), preview });
  };
  const declare = async ({ terms, key }: Simulated) => {
    const { declareTrancheEvent } = await graph.mutate('declareTrancheEvent', terms, key);
    onClose();
    onDone(text.declared(declareTrancheEvent?.number ?? ''));
  };
  return (
    <Dialog title={`${text.declare}: ${tranche.ticker}`} isOpen isWide onClose={onClose}>
      <Form
        action={action}
        fields={fieldNames}
        label={text.declare}
        onSubmit={(values) => void action.run(() => (simulated === undefined ? simulate(values) : declare(simulated)))}
      >
        <div
          className="columns short"
          onChange={() => {
            edits.current++;
            setSimulated(undefined);
          }}
        >
          <SelectInput name="kind" label={words.kind} value={kind} options={text.kinds} onChange={setKind} />
          <TextInput name="day" type="date" label={dayLabels[kind] ?? text.date} isRequired />
          <TermFields key={kind} kind={kind} schedule={tranche.schedule.nodes} />
          <TextInput name="reason" label={words.reason} hint={text.reasonHint} maxLength={500} isRequired />
          <TextInput name="document" label={text.document} hint={text.documentHint} maxLength={500} />
        </div>
        {simulated === undefined ? null : <PreviewOf preview={simulated.preview} followers={followers} />}
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {simulated === undefined ? text.simulate : text.act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

type Term = Exclude<keyof Terms | 'amount', 'ticker' | 'kind' | 'day' | 'reason' | 'document'>;
const premium = ['premiumRule', 'premiumPercent'] as const;
const termsByKind: Readonly<Record<Kind, readonly Term[]>> = {
  EXTRA_AMORTIZATION: ['percent', 'amount', ...premium],
  EARLY_REDEMPTION: premium,
  PARTIAL_REDEMPTION: ['quantity', 'lot', ...premium],
  INCORPORATION: [],
  GRACE: ['through', 'interestEvent'],
  LATE_PAYMENT: ['installmentNumber'],
  WAIVER: ['installmentNumber', 'percent'],
};
const fieldNames = ['kind', 'day', ...new Set(Object.values(termsByKind).flat()), 'reason', 'document'];

function readTerms(values: FormData, ticker: string, kind: Kind): Terms {
  const { interests, rules } = operatorTexts.get().events;
  const text = (name: string) => textOf(values, name).trim() || null;
  const number = text('installmentNumber');
  return {
    ...{ ticker, kind, day: textOf(values, 'day'), through: text('through') },
    installmentNumber: number === null ? null : Number(number),
    percent: numberOf(values, 'percent', '%'),
    quantity: numberOf(values, 'quantity'),
    lot: text('lot'),
    interestEvent: valueIn(interests, textOf(values, 'interestEvent')) ?? null,
    premiumRule: valueIn(rules, textOf(values, 'premiumRule')) ?? null,
    premiumPercent: numberOf(values, 'premiumPercent', '%'),
    reason: textOf(values, 'reason').trim(),
    document: text('document'),
  };
}

function TermFields({ kind, schedule }: { readonly kind: Kind; readonly schedule: readonly Entry[] }) {
  const { events: text, payments } = operatorTexts.get();
  const [rule, setRule] = useState<keyof typeof text.rules | ''>('');
  const isWaiver = kind === 'WAIVER';
  const unpaid = schedule
    .filter(({ event, status }) => event === null && status !== 'PAID')
    .map((row) => ({
      value: String(row.installmentNumber),
      text: `${entryName(row)} · ${date(row.dueDate)} · ${row.statusLabel}`,
    }));
  const fields: Readonly<Record<Term, ReactNode>> = {
    through: <TextInput name="through" type="date" label={text.through} isRequired />,
    interestEvent: (
      <SelectInput name="interestEvent" label={text.interestEvent} all={text.asScheduled} options={text.interests} />
    ),
    installmentNumber: <SelectInput name="installmentNumber" label={payments.instalment} options={unpaid} />,
    percent: (
      <NumberInput
        name="percent"
        label={isWaiver ? text.waived : text.percent}
        hint={isWaiver ? text.waivedHint : text.percentHint}
        unit="%"
      />
    ),
    amount: <NumberInput name="amount" label={text.amount} hint={text.amountHint} unit="BRL" />,
    quantity: <NumberInput name="quantity" label={text.quantity} isWhole isRequired />,
    lot: <TextInput name="lot" label={text.lot} hint={text.lotHint} maxLength={500} />,
    premiumRule: (
      <SelectInput
        name="premiumRule"
        label={text.premium}
        all={text.noPremium}
        options={text.rules}
        onChange={setRule}
      />
    ),
    premiumPercent:
      rule === '' ? null : <NumberInput name="premiumPercent" label={text.premiums[rule]} unit="%" isRequired />,
  };
  return termsByKind[kind].map((name) => <Fragment key={name}>{fields[name]}</Fragment>);
}

const shownPrices = 10;

/** Preview of an event. Takes the focus, since it stands between the fields and the button. */
function PreviewOf({ preview, followers }: Pick<Simulated, 'preview'> & Pick<Parts, 'followers'>) {
  const { events: text, payments, words } = operatorTexts.get();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [preview]);
  const { event, isCorrection, value, prices, payments: changed, lateCharges, announces } = preview;
  return (
    <div className="stack">
      <h3 ref={heading} tabIndex={-1}>
        {text.preview(event.number)}
      </h3>
      <p>{[event.kindLabel, termsLine(event)].filter((part) => part !== '').join(' · ')}</p>
      <p className={isCorrection ? 'notice' : 'notice good'}>{isCorrection ? text.corrects : text.correctsNothing}</p>
      {value === null ? (
        <p>{text.paysNothing}</p>
      ) : (
        <Stats
          items={[
            { label: text.interest, value: money(value.interestValue) },
            { label: text.principal, value: money(value.principalValue) },
            { label: text.premium, value: money(value.premiumValue) },
            { label: words.total, value: money(value.totalValue) },
          ]}
        />
      )}
      <Compared
        title={text.prices}
        first={words.date}
        rows={prices.slice(0, shownPrices).map((row) => ({ ...row, name: date(row.date) }))}
        write={(price) => decimal(price, 8)}
      />
      {prices.length > shownPrices ? (
        <p className="small muted">{text.firstPrices(decimal(shownPrices), decimal(prices.length))}</p>
      ) : null}
      <Compared
        title={text.changed}
        first={payments.instalment}
        rows={changed.map((row) => ({ ...row, name: row.number, sub: date(row.dueDate) }))}
        write={money}
      />
      {lateCharges === null ? null : (
        <>
          <h3>{payments.chargesTotal}</h3>
          <ChargeFacts charges={lateCharges} />
        </>
      )}
      <h3>{text.told}</h3>
      <Table
        caption={text.told}
        rows={announces}
        keyOf={({ name }) => name}
        columns={[
          { label: words.event, cell: ({ name }) => <code>{name}</code> },
          { label: words.webhooks, kind: 'number', cell: ({ receiverCount }) => decimal(receiverCount) },
          {
            label: text.receivers,
            kind: 'wide',
            cell: ({ receivers }) => receivers?.map(({ id, ...webhook }) => <Receiver key={id} {...webhook} />),
          },
        ]}
      />
      {followers === null ? null : <p>{plural(followers, text.followers)}</p>}
    </div>
  );
}

interface ComparedRow {
  readonly name: string;
  readonly sub?: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A table of values without an event and with it; nothing where none change. */
function Compared(props: {
  readonly title: string;
  readonly first: string;
  readonly rows: readonly ComparedRow[];
  readonly write: (value: string | null) => string;
}) {
  const { title, first, rows, write } = props;
  const { words } = operatorTexts.get();
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { label: first, kind: 'wide', cell: ({ name, sub }) => noted(name, sub) },
          { label: words.before, kind: 'number', cell: ({ before }) => write(before) },
          { label: words.after, kind: 'number', cell: ({ after }) => write(after) },
        ]}
      />
    </>
  );
}
