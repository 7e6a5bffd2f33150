import { noted } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { decimal } from '../frame/language.js';
import type { Operations } from './graph.js';
import { kindText } from './record-kind.js';
import { operatorTexts } from './texts.js';

/** How many records of a kind an import affects. */
export type ImportCount = NonNullable<Operations['importById']['data']['import']>['counts'][number];

/** How many records of each kind an import creates, changes and removes. */
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

/** A kind of records in words, with its name in files. */
function Kind({ name }: { readonly name: string }) {
  return noted(kindText(name), <code>{name}</code>);
}
