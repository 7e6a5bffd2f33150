import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, noted, type Tone, type Column } from '../../design/basics.js';
import { Button, Dialog, SelectInput, TextInput, type Option } from '../../design/controls/controls.js';
import { AddressForm } from '../frame/address.js';
import { decimal, language, moment, wordOf } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { FailureNotice, PageHead, readable } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { operatorTexts } from '../texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { auditFilter, auditParameters } from './parameters.js';
import { saveFile } from '../frame/save-file.js';
import { csvLine } from '../../../shared/kernel/format/csv-line.js';

type Entry = Operations['auditLog']['data']['auditLog']['nodes'][number];

const toneOf: Readonly<Record<Entry['outcome'], Tone>> = { DONE: 'good', REFUSED: 'warn', FAILED: 'bad' };

export function Audit() {
  const { audit: text } = operatorTexts.get();
  const parameters = auditParameters(useSearch({ strict: false }));
  const filter = auditFilter(parameters);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <div className="stack">
        <Filter />
        <AuditExport key={JSON.stringify(parameters)} filter={filter} />
        <Entries filter={filter} />
      </div>
    </>
  );
}

function Filter() {
  const { audit: text, words } = operatorTexts.get();
  return (
    <AddressForm
      to="/operacao/auditoria"
      label={text.filter}
      submit={words.filter}
      fields={['actor', 'action', 'subject', 'outcome', 'from', 'to']}
      read={auditParameters}
    >
      {({ actor = '', action = '', subject = '', outcome = '', from = '', to = '' }) => (
        <>
          <TextInput name="actor" label={text.actor} defaultValue={actor} autoComplete="off" />
          <SelectInput
            name="action"
            label={text.action}
            defaultValue={action}
            all={words.all}
            options={actOptions(action)}
          />
          <TextInput name="subject" label={text.subject} defaultValue={subject} autoComplete="off" />
          <SelectInput
            name="outcome"
            label={words.outcome}
            defaultValue={outcome}
            all={words.all}
            options={text.outcomes}
          />
          <TextInput name="from" type="date" label={text.from} defaultValue={from} />
          <TextInput name="to" type="date" label={text.to} defaultValue={to} />
        </>
      )}
    </AddressForm>
  );
}

/** Every act in the order of its name, and the one of the address, which may be of another version. */
function actOptions(chosen: string): readonly Option[] {
  const { audit: text } = operatorTexts.get();
  const known = Object.entries(text.actNames).map(([value, name]) => ({ value, text: name }));
  const other = chosen === '' || chosen in text.actNames ? [] : [{ value: chosen, text: chosen }];
  return [...other, ...known.toSorted((one, next) => one.text.localeCompare(next.text, language.code))];
}

/** Returns the name of an act on the page; the name in the log if the panel does not know the act. */
function nameOf({ action }: Entry): string {
  return wordOf(operatorTexts.get().audit.actNames, action);
}

function Entries({ filter }: { readonly filter: ReturnType<typeof auditFilter> }) {
  const { audit: text } = operatorTexts.get();
  const [chosen, setChosen] = useState<Entry>();
  const pages = usePages(graph, 'auditLog', { filter, first: 50 }, ({ auditLog }) => ({
    ...auditLog,
    totalCount: null,
  }));
  return (
    <>
      <PagedTable pages={pages} caption={text.title} empty={text.empty} columns={columnsOf(setChosen)} />
      {chosen === undefined ? null : <Details entry={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function columnsOf(onChoose: (entry: Entry) => void): readonly Column<Entry>[] {
  const { audit: text, words } = operatorTexts.get();
  return [
    { label: words.time, kind: 'nowrap', cell: ({ at }) => moment(at) },
    {
      label: text.actor,
      kind: 'nowrap',
      cell: ({ actorKind, actorName, actorId, source }) =>
        noted(
          actorName ?? text.actorKinds[actorKind],
          <>
            {actorName === null ? <code title={actorId}>{shortId(actorId)}</code> : text.actorKinds[actorKind]},{' '}
            {source}
          </>,
        ),
    },
    {
      label: text.action,
      kind: 'wide',
      cell: (entry) =>
        noted(
          nameOf(entry),
          <>
            <code>{entry.action}</code>
            {entry.subjectId === null ? null : (
              <>
                {' '}
                {entry.subjectType} <code>{entry.subjectId}</code>
              </>
            )}
          </>,
        ),
    },
    {
      label: words.outcome,
      cell: ({ outcome, occurrences }) => (
        <>
          <Badge tone={toneOf[outcome]}>{text.outcomes[outcome]}</Badge>
          {occurrences === 1 ? null : ` × ${decimal(occurrences)}`}
        </>
      ),
    },
    {
      label: words.acts,
      cell: (entry) => (
        <Button label={`${words.details}: ${nameOf(entry)}`} onPress={() => onChoose(entry)}>
          {words.details}
        </Button>
      ),
    },
  ];
}

function Details({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const { audit: text, words } = operatorTexts.get();
  const states = [
    [words.before, entry.before],
    [words.after, entry.after],
  ] as const;
  return (
    <Dialog title={nameOf(entry)} isOpen isWide onClose={onClose}>
      <p>
        {moment(entry.at)}, <code>{entry.action}</code>, <code>{entry.requestId}</code>
      </p>
      <p>
        {entry.actorName ?? text.actorKinds[entry.actorKind]} <code>{entry.actorId}</code>
      </p>
      {entry.reason === null ? null : <p {...(entry.outcome === 'DONE' ? {} : { lang: 'en' })}>{entry.reason}</p>}
      {states.map(([label, state]) =>
        state === null ? null : (
          <div key={label}>
            <h3>{label}</h3>
            <pre className="scroll" tabIndex={0}>
              {readable(state)}
            </pre>
          </div>
        ),
      )}
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().close}</Button>
      </div>
    </Dialog>
  );
}

/** Returns the beginning of an id, by which a person tells two apart; the whole one is in the details. */
function shortId(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? `${id.slice(0, 8)}…` : id;
}

const typeOf = { CSV: 'csv', JSONL: 'jsonl' } as const satisfies Record<AuditFormat, string>;

function AuditExport({ filter }: { readonly filter: ReturnType<typeof auditFilter> }) {
  const { audit: text } = operatorTexts.get();
  const action = useAction();
  const [read, setRead] = useState<Exported>();
  const download = async (format: AuditFormat) => {
    setRead(undefined);
    const parts = await readAuditFile(filter, format, setRead);
    saveFile(`${text.fileName}.${typeOf[format]}`, parts, typeOf[format]);
  };
  return (
    <>
      <div className="row">
        {auditFormats.map((format) => (
          <Button key={format} isBusy={action.isBusy} onPress={() => void action.run(() => download(format))}>
            {text.download(text.formats[format])}
          </Button>
        ))}
      </div>
      <FailureNotice failure={action.failure} />
      {read === undefined || action.failure !== undefined ? null : (
        <p role="status" className="muted">
          {action.isBusy ? text.exporting(decimal(read.done), decimal(read.total)) : text.exported(decimal(read.done))}
        </p>
      )}
    </>
  );
}

/** In the order and under the names of `lastro audit export`. */
const fields = [
  'at',
  'id',
  'actorKind',
  'actorId',
  'actorName',
  'credentialId',
  'source',
  'requestId',
  'action',
  'subjectType',
  'subjectId',
  'outcome',
  'occurrences',
  'before',
  'after',
  'reason',
] as const satisfies readonly (keyof Entry)[];

const auditFormats = ['CSV', 'JSONL'] as const;
type AuditFormat = (typeof auditFormats)[number];

interface Exported {
  readonly done: number;
  readonly total: number;
}

/** Reads entries page by page, oldest first, for a file. The server records the export first. @throws {FailureError} also for too many entries */
async function readAuditFile(
  filter: ReturnType<typeof auditFilter>,
  format: AuditFormat,
  onRead: (exported: Exported) => void,
): Promise<readonly string[]> {
  const { startAuditExport: total } = await graph.mutate('startAuditExport', { filter, format });
  const parts = format === 'CSV' ? [csvLine(fields, ';')] : [];
  let left = total ?? 0;
  let before: string | null = null;
  while (left > 0) {
    const { auditLog }: Operations['auditLog']['data'] = await graph.query('auditLog', { filter, last: 200, before });
    const entries = auditLog.nodes.toReversed().slice(0, left);
    parts.push(entries.map(format === 'CSV' ? lineOf : jsonOf).join(''));
    left -= entries.length;
    onRead({ done: (total ?? 0) - left, total: total ?? 0 });
    if (!auditLog.pageInfo.hasPreviousPage) break;
    before = auditLog.pageInfo.startCursor;
  }
  return parts;
}

function lineOf(entry: Entry): string {
  return csvLine(
    fields.map((field) => String(entry[field] ?? '')),
    ';',
  );
}

function jsonOf(entry: Entry): string {
  const pairs = fields.map((field) => [field, stateOf(entry, field)] as const);
  return `${JSON.stringify(Object.fromEntries(pairs))}\n`;
}

/** The states are JSON already. */
function stateOf(entry: Entry, field: (typeof fields)[number]): unknown {
  const value = entry[field];
  return (field === 'before' || field === 'after') && typeof value === 'string' ? JSON.parse(value) : value;
}
