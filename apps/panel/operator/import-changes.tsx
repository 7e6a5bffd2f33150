import { useState } from 'react';
import { noted, Section } from '../../design/basics.js';
import { SelectInput } from '../../design/controls/controls.js';
import { Table } from '../../design/table.js';
import { decimal } from '../frame/language.js';
import { PagedList, usePages } from '../frame/paged-table.js';
import { graph, type Operations } from './graph.js';
import type { ImportCount } from './import-counts.js';
import { kindText } from './record-kind.js';
import { operatorTexts } from './texts.js';

/** A record that an import changes, field by field. */
export type ChangedRecord = NonNullable<Operations['importChanges']['data']['import']>['records']['nodes'][number];

/** Every field that an import changed, before and after, by pages and of one kind where one is chosen. */
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

/** Records with their fields, one line for each field, before and after. */
export function ChangesTable({ records }: { readonly records: readonly ChangedRecord[] }) {
  const { imports: text, words } = operatorTexts.get();
  const rows = records.flatMap(({ fields, ...record }) =>
    (fields.length === 0 ? [{ field: '', before: null, after: null }] : fields).map((field) => ({
      ...record,
      ...field,
    })),
  );
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
        { label: words.before, kind: 'wide', cell: ({ before }) => before ?? '—' },
        { label: words.after, kind: 'wide', cell: ({ after }) => after ?? '—' },
      ]}
    />
  );
}
