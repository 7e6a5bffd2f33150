import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty } from '../../design/basics.js';
import { SelectInput } from '../../design/controls/controls.js';
import { moment } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { Estate } from './batch-parts.js';
import { graph, type Operations } from './graph/operations.js';
import { originatorTexts } from '../texts.js';

type Act = Operations['activity']['data']['originatorActivity']['nodes'][number];

export function Activity() {
  const { activity: text, words } = originatorTexts.get();
  const query = useQuery(graph, 'originators', {});
  const [chosen, setChosen] = useState('');
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Loaded query={query}>
        {({ myOriginators }) => {
          const originatorId = chosen || myOriginators[0]?.id;
          if (originatorId === undefined) return <Empty>{text.noOriginators}</Empty>;
          return (
            <>
              {myOriginators.length === 1 ? null : (
                <SelectInput
                  name="originator"
                  label={words.originator}
                  value={originatorId}
                  onChange={setChosen}
                  options={myOriginators.map(({ id, name }) => ({ value: id, text: name }))}
                />
              )}
              <Acts key={originatorId} originatorId={originatorId} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Acts({ originatorId }: { readonly originatorId: string }) {
  const { activity: text, words } = originatorTexts.get();
  const pages = usePages(graph, 'activity', { originatorId }, ({ originatorActivity }) => originatorActivity);
  return (
    <PagedTable
      pages={pages}
      caption={text.title}
      empty={text.empty}
      columns={[
        { label: words.time, kind: 'nowrap', cell: ({ at }) => moment(at) },
        { label: text.what, kind: 'wide', cell: ({ kind }) => text.kinds[kind] },
        { label: text.who, kind: 'nowrap', cell: ({ actor }) => text.actors[actor] },
        { label: text.about, cell: About },
      ]}
    />
  );
}

function About({ creditBatchId, settlementBatchId, keyFingerprint, patrimony }: Act) {
  const { activity: text } = originatorTexts.get();
  const id = creditBatchId ?? settlementBatchId;
  if (id !== null)
    return (
      <Link to={creditBatchId === null ? '/originador/liquidacoes/$id' : '/originador/lotes/$id'} params={{ id }}>
        {text.batch}
      </Link>
    );
  if (keyFingerprint !== null) return <code>{keyFingerprint.slice(0, 16)}…</code>;
  return <Estate ticker={patrimony?.ticker ?? null} />;
}
