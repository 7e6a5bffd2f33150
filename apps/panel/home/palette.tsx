import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Autocomplete, Input, Label, Menu, MenuItem, SearchField } from 'react-aria-components';
import { Dialog } from '../../design/controls/dialog.js';
import { thrownFailure, type Failure } from '../frame/failure.js';
import { FailureNotice } from '../frame/parts.js';
import type { BrowserSession } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { useSettled } from '../frame/use-graph.js';
import { findRows, hasWords, pageTargets, type Target } from './find.js';

const mostShown = 12;

/** The search over screens and rows, by which the keyboard reaches all of the panel. */
export function Palette({ session, onClose }: { readonly session: BrowserSession; readonly onClose: () => void }) {
  const { find } = frameTexts.get();
  const router = useRouter();
  const [text, setText] = useState('');
  const { rows, failure } = useRows(session, text.trim());
  const pages = pageTargets(session).filter(({ name, note }) => hasWords(`${name} ${note}`, text.trim()));
  const targets = [...pages, ...rows].slice(0, mostShown);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    if ('to' in target) void router.navigate({ to: target.to });
    else location.assign(target.href);
  };
  return (
    <Dialog title={find.title} isOpen onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField className="field" autoFocus>
          <Label>{find.label}</Label>
          <Input />
        </SearchField>
        <FailureNotice failure={failure} />
        <Menu
          className="found"
          aria-label={find.title}
          onAction={(address) => go(targets.find((target) => addressOf(target) === address))}
          renderEmptyState={() => find.nothing}
        >
          {targets.map((target) => (
            <MenuItem key={addressOf(target)} id={addressOf(target)} textValue={target.name}>
              <span>{target.name}</span> <span className="muted">{target.note}</span>
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}

const addressOf = (target: Target): string => ('to' in target ? target.to : target.href);

/** The rows of a text, once nobody types any more; those of the text before stay until then. */
function useRows(
  session: BrowserSession,
  text: string,
): { readonly rows: readonly Target[]; readonly failure?: Failure } {
  const settled = useSettled(text);
  const [found, setFound] = useState<{ readonly rows: readonly Target[]; readonly failure?: Failure }>({ rows: [] });
  useEffect(() => {
    if (settled === '') return setFound({ rows: [] });
    let isOver = false;
    const show = (next: typeof found) => {
      if (!isOver) setFound(next);
    };
    findRows(session, settled).then(
      (rows) => show({ rows }),
      (error: unknown) => show({ rows: [], failure: thrownFailure(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [session, settled]);
  return found;
}
