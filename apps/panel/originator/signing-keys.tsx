import { useState } from 'react';
import { Badge, Facts, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table, type Column } from '../../design/table.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { NewSigningKey } from './new-signing-key.js';
import { RevokeSigningKey } from './revoke-signing-key.js';
import { originatorTexts } from './texts.js';

type Originator = Operations['originators']['data']['myOriginators'][number];
type Key = Originator['keys'][number];

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
              <Keys key={originator.id} originator={originator} onChange={query.reload} />
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

function Keys({ originator, onChange }: { readonly originator: Originator; readonly onChange: () => void }) {
  const { keys: text } = originatorTexts.get();
  const { id, name, status, accountMaySend, rateLimit, keys } = originator;
  const [isAdding, setAdding] = useState(false);
  const mayChange = accountMaySend && status === 'ACTIVE';
  return (
    <Section
      id={`originator-${id}`}
      title={name}
      links={
        mayChange ? (
          <Button label={`${text.add}: ${name}`} onPress={() => setAdding(true)}>
            {text.add}
          </Button>
        ) : null
      }
    >
      <Facts
        items={[
          [text.clientId, <code key="id">{id}</code>],
          [text.status, text.states[status]],
          [text.sending, accountMaySend ? text.may : text.mayNot],
          [text.limit, rateLimit === null ? text.defaultLimit : text.perMinute(decimal(rateLimit))],
        ]}
      />
      <KeyTable {...{ keys, mayChange, onChange }} />
      {isAdding ? (
        <NewSigningKey
          originatorId={id}
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            onChange();
          }}
        />
      ) : null}
    </Section>
  );
}

function KeyTable(props: {
  readonly keys: readonly Key[];
  readonly mayChange: boolean;
  readonly onChange: () => void;
}) {
  const { keys, mayChange, onChange } = props;
  const { keys: text } = originatorTexts.get();
  const [revoking, setRevoking] = useState<Key>();
  const close = () => {
    setRevoking(undefined);
  };
  const live = keys.filter(({ revokedAt }) => revokedAt === null);
  return (
    <>
      <Table
        caption={text.title}
        rows={keys}
        keyOf={(key) => key.id}
        empty={text.empty}
        columns={mayChange ? [...columnsOf(), revokeColumn(setRevoking)] : columnsOf()}
      />
      {revoking === undefined ? null : (
        <RevokeSigningKey
          signingKey={revoking}
          isLast={live.length === 1}
          onClose={close}
          onRevoked={() => {
            close();
            onChange();
          }}
        />
      )}
    </>
  );
}

function columnsOf(): readonly Column<Key>[] {
  const { keys: text } = originatorTexts.get();
  return [
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
  ];
}

function revokeColumn(onRevoke: (key: Key) => void): Column<Key> {
  const { keys: text } = originatorTexts.get();
  return {
    label: text.acts,
    cell: (key) =>
      key.revokedAt === null ? (
        <Button label={`${text.revoke} ${key.fingerprint.slice(0, 8)}`} onPress={() => onRevoke(key)}>
          {text.revoke}
        </Button>
      ) : (
        ''
      ),
  };
}
