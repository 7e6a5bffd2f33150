import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Badge } from '../../design/basics.js';
import type { Column } from '../../design/table.js';
import { PagedTable } from '../frame/paged-table.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { BatchFilter, filterOf } from './batch-filter.js';
import { batchParameters, toneOf } from './batch-state.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { SettlementLink } from './settlement-link.js';
import { originatorTexts } from './texts.js';

type Row = Operations['settlementBatches']['data']['settlementBatches']['nodes'][number];

/** The settlement batches of the account's originators. The filter is in the address. */
export function SettlementBatches() {
  const { batches, settlements: text } = originatorTexts.get();
  const parameters = batchParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  const filter = filterOf(parameters);
  const query = useQuery(graph, 'settlementBatches', { filter, after: null });
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <Link to="/originador/enviar" className="button">
            {batches.send}
          </Link>
        }
      />
      <BatchFilter
        key={JSON.stringify(parameters)}
        parameters={parameters}
        onFilter={(search) => {
          void navigate({ to: '/originador/liquidacoes', search, resetScroll: false });
        }}
      />
      <Loaded query={query}>
        {({ settlementBatches }) => (
          <PagedTable
            key={`${JSON.stringify(filter)} ${settlementBatches.pageInfo.endCursor ?? ''}`}
            caption={text.title}
            first={settlementBatches}
            next={async (after) => (await graph.query('settlementBatches', { filter, after })).settlementBatches}
            keyOf={({ id }) => id}
            empty={text.empty}
            columns={columnsOf()}
          />
        )}
      </Loaded>
    </>
  );
}

function columnsOf(): readonly Column<Row>[] {
  const { batches, settlements: text } = originatorTexts.get();
  return [
    {
      label: batches.name,
      kind: 'wide',
      cell: (batch) => <SettlementLink batch={batch} />,
    },
    { label: batches.status, cell: ({ status }) => <Badge tone={toneOf[status]}>{batches.states[status]}</Badge> },
    {
      label: text.creditBatch,
      kind: 'nowrap',
      cell: ({ creditBatchId: id }) => (
        <Link to="/originador/lotes/$id" params={{ id }}>
          {text.open}
        </Link>
      ),
    },
  ];
}
