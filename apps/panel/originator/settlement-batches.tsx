import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/basics.js';
import type { Column } from '../../design/table.js';
import { PagedQuery } from '../frame/paged-table.js';
import { Origin } from './batch-parts.js';
import { BatchList } from './batch-list.js';
import { toneOf } from './batch-state.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { SettlementLink } from './settlement-link.js';
import { originatorTexts } from './texts.js';

type Row = Operations['settlementBatches']['data']['settlementBatches']['nodes'][number];

/** The settlement batches of the account's originators. The filter is in the address. */
export function SettlementBatches() {
  const { settlements: text } = originatorTexts.get();
  return (
    <BatchList title={text.title} lead={text.lead} to="/originador/liquidacoes">
      {(filter) => (
        <PagedQuery
          graph={graph}
          name="settlementBatches"
          variables={{ filter }}
          pick={({ settlementBatches }) => settlementBatches}
          caption={text.title}
          keyOf={({ id }) => id}
          empty={text.empty}
          columns={columnsOf()}
        />
      )}
    </BatchList>
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
    { label: batches.sender, cell: Origin },
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
