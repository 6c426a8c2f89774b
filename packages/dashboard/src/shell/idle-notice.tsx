import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { lastActivity } from '../api/client/activity.ts';
import { sessionQuery } from '../api/session.ts';
import { Button } from '../components/controls/button.tsx';
import { Modal } from '../components/overlays/modal.tsx';
import { plural } from '../words/time.ts';
import { decideIdle, formatLeft } from './idle.ts';

const tickMs = 1_000;

/** Warns before an unused session ends, and notices when it has ended. */
export function IdleNotice({ onSignOut }: { onSignOut: () => void }) {
  const queryClient = useQueryClient();
  const { data, dataUpdatedAt, isFetching } = useQuery(sessionQuery);
  const [left, setLeft] = useState<number | null>(null);
  const check = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const tick = useEffectEvent(() => {
    if (!data) return;
    const { idle_limit_seconds: limit, idle_remaining_seconds: remaining } = data.session;
    const endsAt = dataUpdatedAt + remaining * 1_000;
    const now = Date.now();
    const { asks, showsNotice } = decideIdle({
      now,
      endsAt,
      checkedAt: dataUpdatedAt,
      limitMs: limit * 1_000,
      lastActivityAt: lastActivity(),
    });
    setLeft(showsNotice ? Math.max(0, endsAt - now) : null);
    if (asks && !isFetching) check();
  });
  useEffect(() => {
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, []);
  if (left === null || !data) return null;
  const minutes = Math.round(data.session.idle_limit_seconds / 60);
  return (
    <Modal title="Are you still there?" isOpen requiresChoice onClose={check}>
      <p className="modal-text" role="status">
        You have been inactive for a while. Sessions end after {plural(minutes, 'minute')} without activity.
      </p>
      <p className="modal-text">
        You will be signed out in <span role="timer">{formatLeft(left)}</span>.
      </p>
      <div className="modal-foot">
        <Button onPress={onSignOut}>Sign out</Button>
        <Button kind="primary" autoFocus onPress={check}>
          Stay signed in
        </Button>
      </div>
    </Modal>
  );
}
