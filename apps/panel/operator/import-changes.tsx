import { useState } from 'react';
import { noted, Section, Table } from '../../design/basics.js';
import { SelectInput, type Option } from '../../design/controls/controls.js';
import { decimal, language, percent, wordOf } from '../frame/language.js';
import { PagedList, usePages } from '../frame/paged-table.js';
import { graph, type Operations } from './graph.js';
import { operatorTexts } from '../texts.js';

export type ChangedRecord = NonNullable<Operations['importChanges']['data']['import']>['records']['nodes'][number];

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
        { label: words.field, kind: 'nowrap', cell: ({ field }) => <code>{field}</code> },
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

/** Returns what the records of a kind are called; its name in files where that is of another version. */
function kindText(name: string): string {
  return wordOf(operatorTexts.get().recordKinds, name);
}

/** Returns every kind, in the order of their words. */
export function kindOptions(): readonly Option[] {
  const kinds = Object.entries(operatorTexts.get().recordKinds);
  return kinds
    .map(([value, text]) => ({ value, text }))
    .toSorted((one, other) => one.text.localeCompare(other.text, language.code));
}
