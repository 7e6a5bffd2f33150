import { useState } from 'react';
import { Section, Table } from '../../design/basics.js';
import { Button, TextInput } from '../../design/controls/controls.js';
import { date, language } from '../frame/language.js';
import { FailureNotice, Form, Loaded, Note, PageHead, textOf } from '../frame/parts.js';
import { useAction, useQuery, type Action } from '../frame/use-graph.js';
import { FollowedOperations, type FollowedOperation } from './followed-operations.js';
import { graph, type Operations } from './graph/operations.js';
import { developerTexts } from '../texts.js';

/** The watchlist of the account, which has at most 100 operations. */
export function Followed() {
  const { followed: text } = developerTexts.get();
  const query = useQuery(graph, 'followed', {});
  const action = useAction();
  const [note, setNote] = useState('');
  const change = (act: 'follow' | 'unfollow', ticker: string) => {
    void action.run(async () => {
      await graph.mutate(act, { ticker });
      setNote(act === 'follow' ? text.isFollowed(ticker) : text.isUnfollowed(ticker));
      query.reload();
    });
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Note>{note}</Note>
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>
        {({ followedOperations }) => {
          const tickers = followedOperations.flatMap((one) => one?.ticker ?? []);
          return (
            <>
              <FollowedOperations tickers={tickers}>
                {(operations) => (
                  <List operations={operations} action={action} onUnfollow={(ticker) => change('unfollow', ticker)} />
                )}
              </FollowedOperations>
              <Find followed={new Set(tickers)} action={action} onFollow={(ticker) => change('follow', ticker)} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function List(props: {
  readonly operations: readonly FollowedOperation[];
  readonly action: Action;
  readonly onUnfollow: (ticker: string) => void;
}) {
  const { followed: text, words } = developerTexts.get();
  return (
    <Table
      caption={text.title}
      rows={props.operations}
      keyOf={({ ticker }) => ticker}
      empty={text.empty}
      columns={[
        {
          label: words.operation,
          kind: 'wide',
          cell: ({ operation }) =>
            operation === undefined ? (
              <span className="muted">{text.notPublished}</span>
            ) : (
              <a href={`${language.prefix}${operation.href}`}>{operation.name}</a>
            ),
        },
        { label: text.ticker, kind: 'nowrap', cell: ({ ticker }) => <code>{ticker}</code> },
        { label: words.type, cell: ({ operation }) => operation?.typeLabel },
        { label: words.status, cell: ({ operation }) => operation?.statusLabel },
        { label: text.maturity, kind: 'nowrap', cell: ({ operation }) => date(operation?.maturityDate ?? null) },
        {
          label: words.acts,
          cell: ({ ticker }) => (
            <Button
              label={`${text.unfollow} ${ticker}`}
              isDisabled={props.action.isBusy}
              onPress={() => props.onUnfollow(ticker)}
            >
              {text.unfollow}
            </Button>
          ),
        },
      ]}
    />
  );
}

function Find(props: {
  readonly followed: ReadonlySet<string>;
  readonly action: Action;
  readonly onFollow: (ticker: string) => void;
}) {
  const { followed: text, words } = developerTexts.get();
  const search = useAction();
  const [found, setFound] = useState<Operations['findOperations']['data']['operations']['nodes']>();
  return (
    <Section id="find" title={text.find}>
      <Form
        action={search}
        fields={['search']}
        label={text.find}
        onSubmit={(values) => {
          void search.run(async () => {
            const { operations } = await graph.query('findOperations', { search: textOf(values, 'search') });
            setFound(operations.nodes);
          });
        }}
      >
        <div className="filter">
          <TextInput name="search" type="search" label={text.search} maxLength={100} isRequired />
          <Button kind="main" type="submit" isBusy={search.isBusy}>
            {text.submit}
          </Button>
        </div>
      </Form>
      {found === undefined ? null : (
        <Table
          caption={text.results}
          rows={found}
          keyOf={({ ticker }) => ticker}
          empty={text.none}
          columns={[
            { label: words.operation, kind: 'wide', cell: ({ name }) => name },
            { label: text.ticker, kind: 'nowrap', cell: ({ ticker }) => <code>{ticker}</code> },
            {
              label: words.acts,
              cell: ({ ticker }) =>
                props.followed.has(ticker.toUpperCase()) ? (
                  text.following
                ) : (
                  <Button
                    label={`${text.follow} ${ticker}`}
                    isDisabled={props.action.isBusy}
                    onPress={() => props.onFollow(ticker)}
                  >
                    {text.follow}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Section>
  );
}
