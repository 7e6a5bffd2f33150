import { useState } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { ActDialog, DialogButton } from '../frame/ask.js';
import { date } from '../frame/language.js';
import { FailureNotice, Loaded } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import type { CompanyPart } from './company-fields.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

type Page = NonNullable<Operations['companyProfiles']['data']['tradingCompany']>['profiles'];
type Profile = Page['profiles'][number];

/** The clients of a company, page by page. */
export function CompanyProfiles({ company: { id }, mayAct, onDone }: CompanyPart) {
  const { companies: text } = operatorTexts.get();
  const query = useQuery(graph, 'companyProfiles', { id });
  const action = useAction();
  const [others, setOthers] = useState<readonly Page[]>([]);
  const [changed, setChanged] = useState<ReadonlyMap<string, Profile['status']>>(new Map());
  return (
    <Section id="profiles" title={text.profiles}>
      <Loaded query={query}>
        {({ tradingCompany }) => {
          if (tradingCompany === null) return null;
          const pages = [tradingCompany.profiles, ...others];
          const nextToken = pages.at(-1)?.nextToken ?? null;
          const rows = pages
            .flatMap(({ profiles }) => profiles)
            .map((one) => ({ ...one, status: changed.get(one.id) ?? one.status }));
          const onChanged = ({ id: profileId }: Profile, status: Profile['status'], said: string) => {
            setChanged((before) => new Map(before).set(profileId, status));
            onDone(said);
          };
          return (
            <>
              <ProfileTable rows={rows} onChanged={mayAct ? onChanged : undefined} />
              <FailureNotice failure={action.failure} />
              {nextToken === null ? null : (
                <div className="pager">
                  <Button
                    isBusy={action.isBusy}
                    onPress={() => {
                      void action.run(async () => {
                        const next = await graph.query('companyProfiles', { id, nextToken });
                        const page = next.tradingCompany?.profiles;
                        if (page !== undefined) setOthers((before) => [...before, page]);
                      });
                    }}
                  >
                    {frameTexts.get().more}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function ProfileTable(props: {
  readonly rows: readonly Profile[];
  readonly onChanged: ((profile: Profile, status: Profile['status'], said: string) => void) | undefined;
}) {
  const { rows, onChanged } = props;
  const { companies: text } = operatorTexts.get();
  return (
    <Table
      caption={text.profiles}
      rows={rows}
      keyOf={({ id }) => id}
      empty={text.noProfiles}
      columns={[
        {
          label: text.profile,
          kind: 'wide',
          cell: ({ id, name }) => (
            <>
              {name}
              <span className="sub">{id}</span>
            </>
          ),
        },
        {
          label: text.status,
          kind: 'nowrap',
          cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.profileStates[status]}</Badge>,
        },
        { label: text.since, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
        {
          label: text.acts,
          cell: (profile) => {
            const act = profile.status === 'ACTIVE' ? text.suspend : text.activate;
            return onChanged === undefined ? null : (
              <DialogButton label={`${act}: ${profile.name}`} act={act}>
                {({ onClose }) => (
                  <ChangeProfile
                    profile={profile}
                    onClose={onClose}
                    onChanged={(status, said) => onChanged(profile, status, said)}
                  />
                )}
              </DialogButton>
            );
          },
        },
      ]}
    />
  );
}

function ChangeProfile(props: {
  readonly profile: Profile;
  readonly onClose: () => void;
  readonly onChanged: (status: Profile['status'], said: string) => void;
}) {
  const { profile, onClose, onChanged } = props;
  const { companies: text } = operatorTexts.get();
  const isActive = profile.status === 'ACTIVE';
  const act = isActive ? text.suspend : text.activate;
  const run = async () => {
    const { id } = profile;
    const status = isActive
      ? (await graph.mutate('suspendTradingProfile', { id })).suspendTradingProfile
      : (await graph.mutate('activateTradingProfile', { id })).activateTradingProfile;
    if (status === null) return;
    const isStill = !isActive && status === 'SUSPENDED';
    onChanged(status, isStill ? text.stillSuspended : text.profileChanged(profile.name, text.profileStates[status]));
  };
  return (
    <ActDialog
      title={`${act}: ${profile.name}`}
      act={act}
      kind={isActive ? 'danger' : 'main'}
      onClose={onClose}
      run={run}
      onDone={onClose}
    >
      <p>{isActive ? text.suspendProfileText : text.activateProfileText}</p>
    </ActDialog>
  );
}
