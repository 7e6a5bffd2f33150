import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../../design/controls/controls.js';
import { useIsDown } from './connection.js';
import { FailureError, noResponse, type Failure } from './failure.js';
import { PartError } from './load-part.js';
import { FailureNotice } from './parts.js';
import { frameTexts } from './texts.js';

/** Stands in for the whole page where that failed, so that no page is ever white. */
export function CrashedPage(props: ErrorComponentProps) {
  return (
    <main>
      <Crashed {...props} />
    </main>
  );
}

/** Stands in for a screen that failed; the menu stays. Once a server that was away is back, the screen is tried again. */
export function Crashed({ error, reset }: ErrorComponentProps) {
  const text = frameTexts.get();
  const router = useRouter();
  const again = () => {
    if (error instanceof PartError && error.reason === 'MISSING') {
      location.reload();
      return;
    }
    reset();
    void router.invalidate();
  };
  const failure = failureIn(error);
  useWhenBack(failure?.code === noResponse.code, again);
  return (
    <div className="crashed">
      {failure === undefined ? (
        <div className="notice bad" role="alert">
          <p>{text.crashed}</p>
          <p>
            <Button onPress={again}>{text.retry}</Button>
          </p>
        </div>
      ) : (
        <FailureNotice failure={failure} onRetry={again} />
      )}
    </div>
  );
}

/** Returns the failure that an error stands for; undefined for an error of the program itself. */
function failureIn(error: unknown): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  return error instanceof PartError && error.reason === 'NO_RESPONSE' ? noResponse : undefined;
}

function useWhenBack(waits: boolean, callBack: () => void): void {
  const isDown = useIsDown();
  const latest = useRef(callBack);
  latest.current = callBack;
  useEffect(() => {
    if (waits && !isDown) latest.current();
  }, [waits, isDown]);
}
