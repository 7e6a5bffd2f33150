import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { Check } from '../../design/controls/fields.js';
import { Table, type Column } from '../../design/table.js';
import { DialogButton } from '../frame/ask.js';
import { date, decimal, moment } from '../frame/language.js';
import { Loaded, Note, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { CreateKey } from './create-key.js';
import { graph } from './graph.js';
import { keyState, type Key } from './key-state.js';
import { RevokeKey } from './revoke-key.js';
import { developerTexts } from './texts.js';

/** The keys of the account. */
export function Keys() {
  const { keys: text } = developerTexts.get();
  const query = useQuery(graph, 'keys', {});
  const [showRevoked, setShowRevoked] = useState(false);
  const [note, setNote] = useState('');
  const onRevoked = (said: string) => {
    setNote(said);
    query.reload();
  };
  const shown = (keys: readonly Key[]) => keys.filter(({ status }) => showRevoked || status === 'ACTIVE');
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <DialogButton kind="main" act={text.create}>
            {({ onClose }) => <CreateKey onClose={onClose} onCreated={query.reload} />}
          </DialogButton>
        }
      />
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ apiKeys, developerKeys }) => (
          <>
            <Check isSelected={showRevoked} onChange={setShowRevoked}>
              {text.showRevoked}
            </Check>
            <KeyTable
              id="api"
              title={text.apiKeys}
              empty={text.apiKeysEmpty}
              keys={shown(apiKeys)}
              onRevoked={onRevoked}
            />
            <KeyTable
              id="developer"
              title={text.developerKeys}
              empty={text.developerKeysEmpty}
              keys={shown(developerKeys)}
              onRevoked={onRevoked}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function KeyTable(props: {
  readonly id: string;
  readonly title: string;
  readonly empty: string;
  readonly keys: readonly Key[];
  readonly onRevoked: (said: string) => void;
}) {
  const { id, title, empty, keys, onRevoked } = props;
  return (
    <Section id={id} title={title}>
      <Table caption={title} rows={keys} keyOf={(key) => key.id} empty={empty} columns={columnsOf(onRevoked)} />
    </Section>
  );
}

function columnsOf(onRevoked: (said: string) => void): readonly Column<Key>[] {
  const { keys: text } = developerTexts.get();
  return [
    {
      label: text.name,
      kind: 'wide',
      cell: ({ id, name, prefix, scopes }) => (
        <>
          <Link to="/desenvolvedor/chaves/$id" params={{ id }}>
            {name}
          </Link>
          <span className="sub">
            <code>{prefix}…</code> {scopes?.join(', ')}
          </span>
        </>
      ),
    },
    {
      label: text.status,
      cell: (key) => {
        const { tone, state } = keyState(key, Date.now());
        return <Badge tone={tone}>{text.states[state]}</Badge>;
      },
    },
    { label: text.limit, kind: 'number', cell: ({ rateLimit }) => text.perMinute(decimal(rateLimit)) },
    { label: text.requests, kind: 'number', cell: ({ requestCount }) => decimal(requestCount) },
    {
      label: text.lastUsed,
      kind: 'nowrap',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : moment(lastUsedAt)),
    },
    { label: text.expires, kind: 'nowrap', cell: ({ expiresAt }) => date(expiresAt) },
    {
      label: text.acts,
      cell: (key) =>
        key.status === 'REVOKED' ? '—' : <RevokeKey of={key} label={`${text.revoke} ${key.name}`} onDone={onRevoked} />,
    },
  ];
}
