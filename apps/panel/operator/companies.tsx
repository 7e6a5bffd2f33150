import { Link, useRouter } from '@tanstack/react-router';
import { Badge, Table } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { serverNow, useSession } from '../frame/session.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { PartyFields, partyOf } from './party-fields.js';
import { operatorTexts } from '../texts.js';

type Listed = Operations['tradingCompanies']['data']['tradingCompanies'][number];

export function Companies() {
  const { companies: text, words } = operatorTexts.get();
  const query = useQuery(graph, 'tradingCompanies', {});
  const mayAct = useSession()?.scopes.includes('trade') === true;
  const now = new Date(serverNow()).toISOString();
  const isLive = ({ revokedAt, expiresAt }: Listed['credentials'][number]) =>
    revokedAt === null && (expiresAt === null || expiresAt > now);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} acts={mayAct ? <AddCompany /> : undefined} />
      <Loaded query={query}>
        {({ tradingCompanies }) => (
          <Table
            caption={text.title}
            rows={tradingCompanies}
            empty={text.empty}
            columns={[
              {
                label: text.name,
                kind: 'wide',
                cell: ({ id, name }) => (
                  <Link to="/operacao/empresas/$id" params={{ id }}>
                    {name}
                  </Link>
                ),
              },
              { label: words.status, kind: 'nowrap', cell: ({ status }) => <CompanyStatus status={status} /> },
              {
                label: text.liveCredentials,
                kind: 'number',
                cell: ({ credentials }) => decimal(credentials.filter(isLive).length),
              },
              {
                label: text.rateLimit,
                kind: 'number',
                cell: ({ rateLimit }) => (rateLimit === null ? words.defaultLimit : decimal(rateLimit)),
              },
              { label: words.since, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

export function CompanyStatus({ status }: { readonly status: Listed['status'] }) {
  const { companies: text } = operatorTexts.get();
  return <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge>;
}

/** Onboards a company, and goes to its page, where its terms and credentials follow. */
function AddCompany() {
  const { companies: text } = operatorTexts.get();
  const router = useRouter();
  return (
    <ActButton
      button="main"
      act={text.add}
      fields={['name', 'rateLimit', 'accountId']}
      text={text.addText}
      run={async (values) => {
        const { addTradingCompany: added } = await graph.mutate('addTradingCompany', partyOf(values));
        if (added !== null) await router.navigate({ to: '/operacao/empresas/$id', params: { id: added.id } });
      }}
    >
      <PartyFields text={text} accountHint={text.accountHint} />
    </ActButton>
  );
}
