import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Badge, noted, Section, Stats, TableSection } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { decimal, language, moment, money, plural, wordOf } from '../frame/language.js';
import { frameTexts } from '../frame/texts.js';
import { originatorTexts } from '../texts.js';
import { ruleText, type Ruled } from '../frame/rule-text.js';
import { useQuery, useRefresh } from '../frame/use-graph.js';
import { isZero, sumOf } from '../trading/price.js';
import { toneOf } from './batch-state.js';
import { graph, type Operations } from './graph/operations.js';

export interface Batch {
  readonly id: string;
  readonly number: number;
  readonly sender: Sender;
  readonly senderKey: string | null;
  readonly fileName: string | null;
  readonly firstLine: number | null;
  readonly status: keyof typeof toneOf;
  readonly outstandingParts: number;
  readonly rejectionReason: string | null;
  readonly rejectionRules: readonly Ruled[] | null;
  readonly errorCount: number;
  readonly createdAt: string;
  readonly submittedAt: string | null;
  readonly processAfter: string | null;
  readonly processedAt: string | null;
  readonly cancelledAt: string | null;
  readonly errors: readonly LineError[];
}

type LineError = NonNullable<Operations['settlementBatch']['data']['settlementBatch']>['errors'][number];
type Sender = Operations['settlementBatches']['data']['settlementBatches']['nodes'][number]['sender'];
type Subscriptions = 'creditBatchUpdated' | 'settlementBatchUpdated';

/** Reads a batch again with each event since the page was opened; a new connection gets all of them once more, so none is missed. */
export function useUpdates(name: Subscriptions, id: string, batch: Batch | null | undefined, reload: () => void): void {
  const { data: begin, reload: beginAgain } = useQuery(graph, 'eventCursor', {});
  useEffect(() => {
    if (begin === undefined) return undefined;
    // Reads what changed between the first reading and the cursor.
    reload();
    return graph.subscribe(name, { id, since: begin.eventCursor }, ({ data, failure }) => {
      if (data !== undefined) reload();
      else if (failure?.code === 'CURSOR_EXPIRED') beginAgain();
    });
  }, [name, id, reload, begin, beginAgain]);
  // Progress of the outstanding parts is not announced.
  useRefresh(reload, batch?.status === 'PROCESSING' ? 2_000 : undefined);
}

export function numbered(number: number): string {
  return originatorTexts.get().batches.numbered(String(number).padStart(4, '0'));
}

type Settled = Readonly<Record<'totalSettledAmount' | 'totalSurplus' | 'totalAbated', string>>;

export const receivedIn = ({ totalSettledAmount, totalSurplus }: Settled) => sumOf([totalSettledAmount, totalSurplus]);

/** Says what a settlement batch has received and abated: each where there is any. */
export function settledText(batch: Settled): string {
  const { settlements: text } = originatorTexts.get();
  const [received, abated] = [receivedIn(batch), batch.totalAbated];
  return [
    ...(isZero(received) ? [] : [text.received(money(received))]),
    ...(isZero(abated) ? [] : [text.abatedSum(money(abated))]),
  ].join(', ');
}

export function SettlementLink(props: {
  readonly batch: Settled & {
    readonly id: string;
    readonly number: number;
    readonly createdAt: string;
    readonly settlementCount: number;
  };
}) {
  const { id, number, createdAt, settlementCount } = props.batch;
  const { batch, settlements: text } = originatorTexts.get();
  const lines = plural(settlementCount, batch.lines);
  return (
    <Link to="/originador/liquidacoes/$id" params={{ id }}>
      {numbered(number)}: {text.name(moment(createdAt))} ({lines}, {settledText(props.batch)})
    </Link>
  );
}

export function Origin({ sender, fileName }: { readonly sender: Sender; readonly fileName: string | null }) {
  return noted(originatorTexts.get().activity.actors[sender], fileName);
}

export function Progress({
  batch,
  lines,
  sums,
}: {
  readonly batch: Batch;
  readonly lines: string;
  readonly sums: string;
}) {
  const { activity, batch: text, batches, words } = originatorTexts.get();
  const key = batch.senderKey === null ? '' : ` (${batch.senderKey.slice(0, 16)}…)`;
  const origin = [
    { label: batches.sender, value: `${activity.actors[batch.sender]}${key}` },
    ...(batch.fileName === null ? [] : [{ label: words.file, value: batch.fileName }]),
  ];
  const moments = [
    [words.created, batch.createdAt],
    [batches.states.SUBMITTED, batch.submittedAt],
    [text.processAfter, batch.status === 'SUBMITTED' ? batch.processAfter : null],
    [batches.states.PROCESSED, batch.processedAt],
    [batches.states.CANCELLED, batch.cancelledAt],
  ] as const;
  return (
    <Section id="progress" title={text.stages}>
      <p role="status">
        <Badge tone={toneOf[batch.status]}>{batches.states[batch.status]}</Badge> {lines}, {sums}
        {batch.outstandingParts === 0 ? null : `; ${plural(batch.outstandingParts, text.outstanding)}`}
      </p>
      <Stats
        items={[...moments.flatMap(([label, at]) => (at === null ? [] : [{ label, value: moment(at) }])), ...origin]}
      />
      {batch.rejectionReason === null ? null : (
        <div className="notice" role="note">
          <p>
            <strong>{text.reason}</strong>
          </p>
          <Rejection {...batch} />
        </div>
      )}
    </Section>
  );
}

/** Why a batch is or would be rejected: a sentence for each rule; the English one for a batch without rules, or with one that the page does not know. */
export function Rejection(props: {
  readonly rejectionReason: string | null;
  readonly rejectionRules: readonly Ruled[] | null;
}) {
  const { rejectionReason, rejectionRules } = props;
  if (rejectionReason === null) return null;
  const sentences = (rejectionRules ?? []).flatMap((rule) => ruleText(rule) ?? []);
  if (sentences.length === 0 || sentences.length < (rejectionRules ?? []).length)
    return <p lang="en">{rejectionReason}</p>;
  return sentences.map((sentence) => <p key={sentence}>{sentence}</p>);
}

/** The errors of the lines of a batch: by their lines in the file, else by their numbers in the batch. */
export function LineErrors(props: {
  readonly errors: readonly LineError[];
  readonly count: number;
  readonly firstLine: number | null;
}) {
  const { errors, count, firstLine } = props;
  const { batch: text, words } = originatorTexts.get();
  if (count === 0) return null;
  return (
    <TableSection
      id="errors"
      title={words.errors}
      rows={errors}
      empty={text.empty}
      columns={[
        {
          label: firstLine === null ? text.place : words.line,
          kind: 'number',
          cell: ({ index }) => decimal(index + (firstLine ?? 1)),
        },
        { label: words.contract, kind: 'nowrap', cell: ({ externalId }) => <code>{externalId ?? '—'}</code> },
        { label: words.field, kind: 'nowrap', cell: ({ field, path }) => fieldText(field ?? path) },
        { label: words.rule, kind: 'wide', cell: (error) => <Rule {...error} /> },
      ]}
    >
      <p className="muted">{text.errorCount(decimal(errors.length), decimal(count))}</p>
    </TableSection>
  );
}

/** Returns the word for a field of a line or of an instalment. */
export function fieldText(name: string): string {
  return wordOf(originatorTexts.get().fields, /\w+$/.exec(name)?.[0] ?? name);
}

/** A rule in the language of the page; older errors are in English only. */
export function Rule(props: { readonly message: string; readonly messagePt: string | null }) {
  const { message, messagePt } = props;
  const own = language.graph === 'PT_BR' ? messagePt : message;
  return own ?? <span lang="en">{message}</span>;
}

export function BatchActs(props: {
  readonly batch: Batch;
  readonly lineCount: number;
  readonly sums: string;
  /** Whether one wrong line rejects all of it. */
  readonly isWhole: boolean;
  readonly submit: () => Promise<unknown>;
  readonly cancel: () => Promise<unknown>;
  readonly onDone: (said: string) => void;
}) {
  const { batch, lineCount, sums, isWhole, submit, cancel, onDone } = props;
  const { batch: text } = originatorTexts.get();
  const isDraft = batch.status === 'DRAFT';
  if (!isDraft && batch.status !== 'SUBMITTED') return null;
  const lines = plural(lineCount, text.lines);
  const { close } = frameTexts.get();
  return (
    <>
      {isDraft ? (
        <ActButton
          button="main"
          title={text.submitTitle}
          act={text.submit}
          cancel={close}
          text={text.submitText(lines, sums, isWhole)}
          run={submit}
          onDone={() => onDone(text.wasSubmitted)}
        />
      ) : null}
      <ActButton
        title={text.cancelTitle}
        act={text.cancel}
        kind="danger"
        cancel={close}
        text={text.cancelText}
        run={cancel}
        onDone={() => onDone(text.wasCancelled)}
      />
    </>
  );
}

export function Estate({ ticker }: { readonly ticker: string | null }) {
  return ticker === null ? (
    '—'
  ) : (
    <a href={`${language.prefix}/tokenizacao/patrimonios/${encodeURIComponent(ticker)}`}>{ticker}</a>
  );
}
