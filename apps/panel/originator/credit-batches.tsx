import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Badge } from '../../design/basics.js';
import type { Column } from '../../design/table.js';
import { decimal, moment, money } from '../frame/language.js';
import { PagedTable } from '../frame/paged-table.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { BatchFilter, filterOf } from './batch-filter.js';
import { batchParameters, toneOf } from './batch-state.js';
import { Estate } from './estate-link.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { originatorTexts } from './texts.js';

type Row = Operations['creditBatches']['data']['creditBatches']['nodes'][number];

/** The credit batches of the account's originators. The filter is in the address. */
export function CreditBatches() {
  const { batches: text } = originatorTexts.get();
  const parameters = batchParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  const filter = filterOf(parameters);
  const query = useQuery(graph, 'creditBatches', { filter, after: null });
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <Link to="/originador/enviar" className="button">
            {text.send}
          </Link>
        }
      />
      <BatchFilter
        key={JSON.stringify(parameters)}
        parameters={parameters}
        onFilter={(search) => {
          void navigate({ to: '/originador/lotes', search, resetScroll: false });
        }}
      />
      <Loaded query={query}>
        {({ creditBatches }) => (
          <PagedTable
            key={`${JSON.stringify(filter)} ${creditBatches.pageInfo.endCursor ?? ''}`}
            caption={text.title}
            first={creditBatches}
            next={async (after) => (await graph.query('creditBatches', { filter, after })).creditBatches}
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
  const { batches: text } = originatorTexts.get();
  return [
    {
      label: text.name,
      kind: 'wide',
      cell: ({ id, name }) => (
        <Link to="/originador/lotes/$id" params={{ id }}>
          {name}
        </Link>
      ),
    },
    { label: text.status, cell: ({ status }) => <Badge tone={toneOf[status]}>{text.states[status]}</Badge> },
    { label: text.estate, kind: 'nowrap', cell: ({ patrimony }) => <Estate ticker={patrimony?.ticker ?? null} /> },
    { label: text.contracts, kind: 'number', cell: ({ receivableCount }) => decimal(receivableCount) },
    { label: text.total, kind: 'number', cell: ({ totalFaceValue }) => money(totalFaceValue) },
    { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
  ];
}
