import { Badge, type Tone } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { date, decimal, moment } from '../frame/language.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

/** A key of an account, as operators see it. */
export type ManagedKey = Operations['managedAccounts']['data']['managedAccounts'][number]['keys'][number];

type KeyState = 'working' | 'expired' | 'revoked';

const toneOf: Readonly<Record<KeyState, Tone>> = { working: 'good', expired: 'bad', revoked: 'plain' };

function stateOf({ revokedAt, expiresAt }: ManagedKey): KeyState {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : 'working';
}

/** The keys of an account, with the limit that each has now. */
export function ManagedKeys(props: {
  readonly keys: readonly ManagedKey[];
  readonly onLimit: (key: ManagedKey) => void;
}) {
  const { keys, onLimit } = props;
  const { accounts: text } = operatorTexts.get();
  return (
    <Table
      caption={text.keys}
      rows={keys}
      keyOf={({ id }) => id}
      empty={text.noKeys}
      columns={[
        {
          label: text.prefix,
          kind: 'nowrap',
          cell: ({ prefix, name }) => (
            <>
              <code>{prefix}</code>
              <span className="sub">{name}</span>
            </>
          ),
        },
        {
          label: text.rate,
          kind: 'number',
          cell: ({ rateLimit, followsConfiguration }) => (
            <>
              {decimal(rateLimit)}
              {followsConfiguration ? <span className="sub">{text.isDefault}</span> : null}
            </>
          ),
        },
        {
          label: text.state,
          kind: 'nowrap',
          cell: (key) => (
            <>
              <Badge tone={toneOf[stateOf(key)]}>{text.keyStates[stateOf(key)]}</Badge>
              <span className="sub">{text.until(date(key.revokedAt ?? key.expiresAt))}</span>
            </>
          ),
        },
        {
          label: text.lastUsed,
          kind: 'nowrap',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? '—' : moment(lastUsedAt)),
        },
        {
          label: text.acts,
          cell: (key) =>
            stateOf(key) === 'working' ? (
              <Button
                label={`${text.setLimit} ${key.prefix}`}
                onPress={() => {
                  onLimit(key);
                }}
              >
                {text.setLimit}
              </Button>
            ) : (
              ''
            ),
        },
      ]}
    />
  );
}
