import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SelectInput } from '../../design/controls/controls.js';
import type { Column } from '../../design/basics.js';
import { date, decimal, moment, month, percent } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { PageHead } from '../frame/parts.js';
import { graph, type Operations } from './graph/operations.js';
import { operatorTexts } from '../texts.js';

type IndexName = Operations['indexValues']['variables']['index'];
type Value = Operations['indexValues']['data']['indexValues']['nodes'][number];

const indices: Readonly<Record<IndexName, string>> = { IPCA: 'IPCA', IGPM: 'IGP-M', DI: 'DI' };

export function IndexValues() {
  const { indexValues: text } = operatorTexts.get();
  const [index, setIndex] = useState<IndexName>('IPCA');
  const pages = usePages(graph, 'indexValues', { index }, ({ indexValues }) => indexValues);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <div className="filter">
        <SelectInput name="index" label={text.index} value={index} onChange={setIndex} options={indices} />
      </div>
      <PagedTable
        pages={pages}
        caption={indices[index]}
        keyOf={({ date: day }) => day}
        empty={text.empty}
        columns={columnsOf(index)}
      />
    </>
  );
}

function columnsOf(index: IndexName): readonly Column<Value>[] {
  const { indexValues: text, words } = operatorTexts.get();
  return [
    {
      label: words.date,
      kind: 'nowrap',
      cell: ({ date: day }) => (index === 'DI' ? date(day) : month(day.slice(0, 7))),
    },
    { label: words.value, kind: 'number', cell: ({ value }) => (value === null ? text.none : decimal(value)) },
    { label: text.publishedOn, kind: 'nowrap', cell: ({ publishedOn }) => date(publishedOn) },
    { label: text.version, kind: 'number', cell: ({ version }) => version },
    {
      label: text.source,
      kind: 'nowrap',
      cell: ({ importId, recordedAt }) => <Source importId={importId} text={moment(recordedAt)} />,
    },
    {
      label: text.projections,
      kind: 'wide',
      cell: ({ projections }) =>
        projections.map((one) => (
          <span key={one.publishedOn} className="sub">
            {date(one.publishedOn)}: {one.percent === null ? text.withdrawn : percent(one.percent)},{' '}
            <Source importId={one.importId} text={`${one.source} (${text.version} ${decimal(one.version)})`} />{' '}
          </span>
        )),
    },
  ];
}

function Source({ importId, text }: { readonly importId: string | null; readonly text: string }) {
  if (importId === null) return text;
  return (
    <Link to="/operacao/importacoes/$id" params={{ id: importId }}>
      {text}
    </Link>
  );
}
