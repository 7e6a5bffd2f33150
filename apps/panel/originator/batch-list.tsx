import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHead } from '../frame/parts.js';
import { BatchFilter, filterOf } from './batch-filter.js';
import { batchParameters } from './batch-state.js';
import { originatorTexts } from './texts.js';

/** A page with the batches of one kind. The filter is in the address. */
export function BatchList(props: {
  readonly title: string;
  readonly lead: string;
  readonly to: '/originador/lotes' | '/originador/liquidacoes';
  readonly children: (filter: ReturnType<typeof filterOf>) => ReactNode;
}) {
  const { title, lead, to, children } = props;
  const parameters = batchParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <>
      <PageHead
        title={title}
        lead={lead}
        acts={
          <Link to="/originador/enviar" className="button">
            {originatorTexts.get().batches.send}
          </Link>
        }
      />
      <BatchFilter
        key={JSON.stringify(parameters)}
        parameters={parameters}
        onFilter={(search) => {
          void navigate({ to, search, resetScroll: false });
        }}
      />
      {children(filterOf(parameters))}
    </>
  );
}
