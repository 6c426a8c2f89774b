import { Notice } from '../../../components/feedback/feedback.tsx';

/** Shown instead of values, because not every role may see measured values of live users. */
export function HiddenValuesNotice() {
  return (
    <Notice title="Viewers cannot see values in live.">
      Live values are health data of real people. You can see devices, events and statuses. To see values, ask
      an owner for the developer role, or use the sandbox, where all users are simulated.
    </Notice>
  );
}
