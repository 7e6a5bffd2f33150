import { useState } from 'react';
import { Section } from '../../design/basics.js';
import { SelectInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { decimal } from '../frame/language.js';
import { FailureNotice, Loaded, More } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import type { ImportCount } from './import-counts.js';
import { kindText } from './record-kind.js';
import { operatorTexts } from './texts.js';

type Page = NonNullable<Operations['importChanges']['data']['import']>['records'];

/** A record that an import changes, field by field. */
export type ChangedRecord = Page['nodes'][number];

/** Every field that an import changed, before and after, by pages and of one kind where one is chosen. */
export function ImportChanges({ id, counts }: { readonly id: string; readonly counts: readonly ImportCount[] }) {
  const { imports: text } = operatorTexts.get();
  const [kind, setKind] = useState('');
  const wanted = { id, kind: kind === '' ? null : kind };
  const query = useQuery(graph, 'importChanges', { ...wanted, after: null });
  const kinds = counts.filter(({ created, changed, removed }) => created + changed + removed > 0);
  return (
    <Section id="changes" title={text.changes}>
      {kinds.length < 2 ? null : (
        <div className="filter">
          <SelectInput
            name="kind"
            label={text.kind}
            value={kind}
            onChange={setKind}
            options={[
              { value: '', text: text.allKinds },
              ...kinds.map(({ kind: name }) => ({ value: name, text: kindText(name) })),
            ]}
          />
        </div>
      )}
      <Loaded query={query}>
        {({ import: found }) =>
          found === null ? null : (
            <Pages
              key={`${kind} ${found.records.pageInfo.endCursor ?? ''}`}
              first={found.records}
              next={async (after) => (await graph.query('importChanges', { ...wanted, after })).import?.records}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function Pages(props: { readonly first: Page; readonly next: (after: string | null) => Promise<Page | undefined> }) {
  const { first, next } = props;
  const action = useAction();
  const [others, setOthers] = useState<readonly Page[]>([]);
  const records = [first, ...others].flatMap(({ nodes }) => nodes);
  const { pageInfo } = others.at(-1) ?? first;
  return (
    <>
      <ChangesTable records={records} />
      <FailureNotice failure={action.failure} />
      <More
        shown={records.length}
        total={first.totalCount}
        hasMore={pageInfo.hasNextPage}
        isBusy={action.isBusy}
        onMore={() => {
          void action.run(async () => {
            const page = await next(pageInfo.endCursor);
            if (page !== undefined) setOthers((before) => [...before, page]);
          });
        }}
      />
    </>
  );
}

/** Records with their fields, one line for each field, before and after. */
export function ChangesTable({ records }: { readonly records: readonly ChangedRecord[] }) {
  const { imports: text } = operatorTexts.get();
  const rows = records.flatMap(({ fields, ...record }) =>
    (fields.length === 0 ? [{ field: '', before: null, after: null }] : fields).map((field) => ({
      ...record,
      ...field,
    })),
  );
  return (
    <Table
      caption={text.changes}
      rows={rows.map((row, at) => ({ ...row, at }))}
      keyOf={({ at }) => String(at)}
      empty={text.noChanges}
      columns={[
        {
          label: text.record,
          kind: 'nowrap',
          cell: ({ kind, record, change }) => (
            <>
              {record}
              <span className="sub">
                {kindText(kind)}, {text.changeKinds[change]}
              </span>
            </>
          ),
        },
        { label: text.line, kind: 'number', cell: ({ line }) => (line === null ? '—' : decimal(line)) },
        { label: text.field, kind: 'nowrap', cell: ({ field }) => <code>{field}</code> },
        { label: text.before, kind: 'wide', cell: ({ before }) => before ?? '—' },
        { label: text.after, kind: 'wide', cell: ({ after }) => after ?? '—' },
      ]}
    />
  );
}
