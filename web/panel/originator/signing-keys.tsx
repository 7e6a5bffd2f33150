import { Badge, Facts, Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { originatorTexts } from './texts.js';

type Originator = Operations['originators']['data']['myOriginators'][number];

/** The keys with which the account's originators sign their requests, and how they are replaced. */
export function SigningKeys() {
  const { keys: text } = originatorTexts.get();
  const query = useQuery(graph, 'originators', {});
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Loaded query={query}>
        {({ myOriginators }) => (
          <>
            {myOriginators.map((originator) => (
              <Keys key={originator.id} originator={originator} />
            ))}
            <Section id="rotate" title={text.rotate}>
              <p>{text.rotateText}</p>
              <pre className="scroll" tabIndex={0}>
                {'openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out private.pem\n' +
                  'openssl pkey -in private.pem -pubout -out public.pem\n' +
                  'openssl pkey -pubin -in public.pem -outform DER | sha256sum'}
              </pre>
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

function Keys({ originator }: { readonly originator: Originator }) {
  const { keys: text } = originatorTexts.get();
  const { id, name, status, accountMaySend, rateLimit, keys } = originator;
  return (
    <Section id={`originator-${id}`} title={name}>
      <Facts
        items={[
          [text.clientId, <code key="id">{id}</code>],
          [text.status, text.states[status]],
          [text.sending, accountMaySend ? text.may : text.mayNot],
          [text.limit, rateLimit === null ? text.defaultLimit : text.perMinute(decimal(rateLimit))],
        ]}
      />
      <Table
        caption={text.title}
        rows={keys}
        keyOf={(key) => key.id}
        empty={text.empty}
        columns={[
          { label: text.fingerprint, kind: 'wide', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
          { label: text.bits, kind: 'nowrap', cell: ({ bits }) => text.bitsOf(decimal(bits)) },
          { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
          {
            label: text.state,
            kind: 'nowrap',
            cell: ({ revokedAt }) => (
              <Badge tone={revokedAt === null ? 'good' : 'plain'}>
                {revokedAt === null ? text.valid : text.revoked(date(revokedAt))}
              </Badge>
            ),
          },
        ]}
      />
    </Section>
  );
}
