import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, noted, TableSection, type Column } from '../../design/basics.js';
import { Check } from '../../design/controls/controls.js';
import { DialogButton } from '../frame/ask.js';
import { date, decimal, moment } from '../frame/language.js';
import { Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { CreateKey } from './create-key.js';
import { graph } from './graph.js';
import { RevokeKey, keyState, type Key } from './revoke-key.js';
import { developerTexts } from '../texts.js';

export function Keys() {
  const { keys: text } = developerTexts.get();
  const query = useQuery(graph, 'keys', {});
  const [showRevoked, setShowRevoked] = useState(false);
  const [note, onRevoked] = useNote(query.reload);
  const columns = columnsOf(onRevoked);
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
            <TableSection
              id="api"
              title={text.apiKeys}
              rows={shown(apiKeys)}
              empty={text.apiKeysEmpty}
              columns={columns}
            />
            <TableSection
              id="developer"
              title={text.developerKeys}
              rows={shown(developerKeys)}
              empty={text.developerKeysEmpty}
              columns={columns}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function columnsOf(onRevoked: (said: string) => void): readonly Column<Key>[] {
  const { keys: text, words } = developerTexts.get();
  return [
    {
      label: words.name,
      kind: 'wide',
      cell: ({ id, name, prefix, scopes }) =>
        noted(
          <Link to="/desenvolvedor/chaves/$id" params={{ id }}>
            {name}
          </Link>,
          <>
            <code>{prefix}…</code> {scopes?.join(', ')}
          </>,
        ),
    },
    {
      label: words.status,
      cell: (key) => {
        const { tone, state } = keyState(key, Date.now());
        return <Badge tone={tone}>{text.states[state]}</Badge>;
      },
    },
    { label: words.limit, kind: 'number', cell: ({ rateLimit }) => text.perMinute(decimal(rateLimit)) },
    { label: words.requests, kind: 'number', cell: ({ requestCount }) => decimal(requestCount) },
    {
      label: words.lastUsed,
      kind: 'nowrap',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : moment(lastUsedAt)),
    },
    { label: words.expires, kind: 'nowrap', cell: ({ expiresAt }) => date(expiresAt) },
    {
      label: words.acts,
      cell: (key) =>
        key.status === 'REVOKED' ? (
          '—'
        ) : (
          <RevokeKey of={key} label={`${words.revoke} ${key.name}`} onDone={onRevoked} />
        ),
    },
  ];
}
