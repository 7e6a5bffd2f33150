import { Link, useNavigate } from '@tanstack/react-router';
import { Badge, noted, Section, Table, Facts, TableSection } from '../../design/basics.js';
import { SelectInput, TextInput, type Option } from '../../design/controls/controls.js';
import { decimal, moment, language, percent, wordOf } from '../frame/language.js';
import { PagedTable, usePages, PagedList } from '../frame/paged-table.js';
import { PageHead, textOf, Loaded } from '../frame/parts.js';
import { inWords } from '../../design/formats.js';
import { columnWords, fieldWords } from './messages/csv-columns.js';
import { graph, type Operations } from './graph/operations.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';
import { useState } from 'react';
import { usePathPart } from '../frame/address.js';
import { useQuery } from '../frame/use-graph.js';

export function Imports() {
  const { imports: text, words } = operatorTexts.get();
  const navigate = useNavigate();
  const pages = usePages(graph, 'imports', {}, ({ imports }) => imports);
  const open = (id: string) => void navigate({ to: '/operacao/importacoes/$id', params: { id } });
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <>
            <Link to="/operacao/importacoes/enviar" className="button">
              {text.upload}
            </Link>
            <VoidRecord onVoided={open} />
          </>
        }
      />
      <PagedTable
        pages={pages}
        caption={text.title}
        empty={text.empty}
        columns={[
          {
            label: text.time,
            kind: 'nowrap',
            cell: ({ id, recordedAt }) => (
              <Link to="/operacao/importacoes/$id" params={{ id }}>
                {moment(recordedAt)}
              </Link>
            ),
          },
          {
            label: text.files,
            kind: 'wide',
            cell: ({ files, reason, reverts }) => noted(reverts === null ? namesOf(files) : text.isRevert, reason),
          },
          { label: text.by, kind: 'nowrap', cell: ({ actorName }) => actorName ?? '—' },
          {
            label: text.records,
            kind: 'number',
            cell: ({ counts }) =>
              decimal(counts.reduce((sum, one) => sum + one.created + one.changed + one.removed, 0)),
          },
          {
            label: words.status,
            cell: ({ revertedBy }) => (revertedBy === null ? null : <Badge tone="warn">{text.reverted}</Badge>),
          },
        ]}
      />
    </>
  );
}

/** The first names of files, without their folders, and how many more there are. */
function namesOf(files: readonly { readonly name: string }[]): string {
  const { imports: text } = operatorTexts.get();
  const names = files.slice(0, 3).map(({ name }) => baseOf(name));
  const more = files.length - names.length;
  return more === 0 ? names.join(', ') : text.andMore(names.join(', '), decimal(more));
}

export function baseOf(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

/** Takes a record that should never have been published out of everything that is published. */
function VoidRecord({ onVoided }: { readonly onVoided: (id: string) => void }) {
  const { imports: text, words } = operatorTexts.get();
  return (
    <ReasonButton
      opens={text.voidRecord}
      act={text.voidAct}
      text={text.voidText}
      run={async (reason, values) => {
        const { voidRecord } = await graph.mutate('voidRecord', {
          kind: textOf(values, 'kind'),
          names: linesOf(textOf(values, 'names')),
          reason,
        });
        if (voidRecord !== null) onVoided(voidRecord.id);
      }}
    >
      <SelectInput name="kind" label={words.kind} options={kindOptions()} />
      <TextInput name="names" label={text.voidNames} hint={text.voidNamesHint} rows={3} />
    </ReasonButton>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

type ChangedRecord = NonNullable<Operations['importChanges']['data']['import']>['records']['nodes'][number];

export function ImportChanges({ id, counts }: { readonly id: string; readonly counts: readonly ImportCount[] }) {
  const { imports: text, words } = operatorTexts.get();
  const [kind, setKind] = useState('');
  const pages = usePages(graph, 'importChanges', { id, kind: kind || null }, ({ import: found }) => found?.records);
  const kinds = counts.filter(({ created, changed, removed }) => created + changed + removed > 0);
  return (
    <Section id="changes" title={text.changes}>
      {kinds.length < 2 ? null : (
        <div className="filter">
          <SelectInput
            name="kind"
            label={words.kind}
            value={kind}
            onChange={setKind}
            all={text.allKinds}
            options={kinds.map(({ kind: name }) => ({ value: name, text: kindText(name) }))}
          />
        </div>
      )}
      <PagedList pages={pages} show={(records) => <ChangesTable records={records} />} />
    </Section>
  );
}

export function ChangesTable({ records }: { readonly records: readonly ChangedRecord[] }) {
  const { imports: text, words } = operatorTexts.get();
  const rows = records.flatMap(({ fields, ...record }) =>
    (fields.length === 0 ? [{ field: '', isNumber: false, before: null, after: null }] : fields).map((field) => ({
      ...record,
      ...field,
    })),
  );
  // On a telephone a column of long texts has no label.
  const kind = rows.every(({ isNumber }) => isNumber) ? 'number' : 'wide';
  return (
    <Table
      caption={text.changes}
      rows={rows}
      empty={text.noChanges}
      columns={[
        {
          label: text.record,
          kind: 'nowrap',
          cell: ({ kind, record, change }) =>
            noted(
              record,
              <>
                {kindText(kind)}, {text.changeKinds[change]}
              </>,
            ),
        },
        { label: words.line, kind: 'number', cell: ({ line }) => (line === null ? '—' : decimal(line)) },
        { label: words.field, kind: 'nowrap', cell: ({ field }) => (field === '' ? null : <Field path={field} />) },
        { label: words.before, kind, cell: (row) => valueOf(row, row.before) },
        {
          label: words.after,
          kind,
          cell: ({ movedPercent: moved, ...row }) =>
            moved === null
              ? valueOf(row, row.after)
              : noted(valueOf(row, row.after), `${moved.startsWith('-') ? '' : '+'}${percent(moved)}`),
        },
      ]}
    />
  );
}

/** Returns the page's name for a field of records. */
export const fieldText = (name: string) =>
  (language.code === 'pt-BR'
    ? (columnWords[name]?.split(',')[0] ?? fieldWords[name])
    : inWords({ [name]: '' })[name]) ?? name;

/** The page's name for a field, with its name in files. @param props.path such as `dueDate` or `series[0].rate` */
export function Field({ path }: { readonly path: string }) {
  return noted(fieldText(/\w*$/.exec(path.replaceAll(/\[\d+\]/g, ''))?.[0] ?? path), <code>{path}</code>);
}

function valueOf({ isNumber }: ChangedRecord['fields'][number], value: string | null): string | null {
  return isNumber && value !== null ? decimal(value) : value;
}

type ImportCount = NonNullable<Operations['importById']['data']['import']>['counts'][number];

export function ImportCounts({ counts }: { readonly counts: readonly ImportCount[] }) {
  const { imports: text, words } = operatorTexts.get();
  return (
    <Table
      caption={text.counts}
      rows={counts}
      keyOf={({ kind }) => kind}
      empty={text.noChanges}
      columns={[
        { label: words.kind, kind: 'wide', cell: ({ kind }) => <Kind name={kind} /> },
        { label: text.created, kind: 'number', cell: ({ created }) => decimal(created) },
        { label: text.changed, kind: 'number', cell: ({ changed }) => decimal(changed) },
        { label: text.unchanged, kind: 'number', cell: ({ unchanged }) => decimal(unchanged) },
        { label: text.removed, kind: 'number', cell: ({ removed }) => decimal(removed) },
      ]}
    />
  );
}

function Kind({ name }: { readonly name: string }) {
  return noted(kindText(name), <code>{name}</code>);
}

/** Returns the page's name for a kind of records; the name in files if the panel does not know the kind. */
function kindText(name: string): string {
  return wordOf(operatorTexts.get().recordKinds, name);
}

function kindOptions(): readonly Option[] {
  const kinds = Object.entries(operatorTexts.get().recordKinds);
  return kinds
    .map(([value, text]) => ({ value, text }))
    .toSorted((one, other) => one.text.localeCompare(other.text, language.code));
}

type Import = NonNullable<Operations['importById']['data']['import']>;

export function ImportPage() {
  const { imports: text } = operatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'importById', { id });
  return (
    <>
      <PageHead title={text.one} lead={<Link to="/operacao/importacoes">{text.back}</Link>} />
      <Loaded query={query}>
        {({ import: found }) =>
          found === null ? <p className="empty">{text.missing}</p> : <Content found={found} onChange={query.reload} />
        }
      </Loaded>
    </>
  );
}

function Content({ found, onChange }: { readonly found: Import; readonly onChange: () => void }) {
  const { imports: text } = operatorTexts.get();
  const { id, revertedBy, counts } = found;
  return (
    <>
      <Head found={found} />
      <Section
        id="counts"
        title={text.counts}
        links={
          revertedBy === null ? (
            <ReasonButton
              act={text.revert}
              title={text.revertTitle}
              text={text.revertText}
              run={(why) => graph.mutate('revertImport', { id, reason: why })}
              onDone={onChange}
            />
          ) : null
        }
      >
        <ImportCounts counts={counts} />
      </Section>
      <ImportChanges id={id} counts={counts} />
      <Files files={found.files} empty={found.reverts === null ? text.noFiles : text.isRevert} />
    </>
  );
}

function Head({ found }: { readonly found: Import }) {
  const { imports: text, words } = operatorTexts.get();
  const { recordedAt, actorName, reason, reverts, revertedBy } = found;
  return (
    <Facts
      items={[
        [text.time, moment(recordedAt)],
        [text.by, actorName],
        [words.reason, reason],
        ...(reverts === null ? [] : [[text.reverts, <Other key="reverts" id={reverts} />] as const]),
        ...(revertedBy === null ? [] : [[text.revertedBy, <Other key="revertedBy" id={revertedBy} />] as const]),
      ]}
    />
  );
}

/** Another import: whose it is, of when, and why; its id where it cannot be read. */
function Other({ id }: { readonly id: string }) {
  const found = useQuery(graph, 'importById', { id }).data?.import;
  return noted(
    <Link to="/operacao/importacoes/$id" params={{ id }}>
      {found == null ? id : `${found.actorName ?? '—'}, ${moment(found.recordedAt)}`}
    </Link>,
    found?.reason,
  );
}

function Files({ files, empty }: { readonly files: Import['files']; readonly empty: string }) {
  const { imports: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="files"
      title={text.files}
      rows={files}
      keyOf={({ name }) => name}
      empty={empty}
      columns={[
        { label: text.files, kind: 'wide', cell: ({ name }) => <span title={name}>{baseOf(name)}</span> },
        { label: words.bytes, kind: 'number', cell: ({ bytes }) => decimal(bytes) },
        { label: 'SHA-256', kind: 'nowrap', cell: ({ sha256 }) => <code>{sha256.slice(0, 16)}…</code> },
      ]}
    />
  );
}
