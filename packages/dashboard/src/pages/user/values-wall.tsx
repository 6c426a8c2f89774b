import { Notice } from '../../components/feedback.tsx';

/** Measured values of real people are not for everybody who can sign in. */
export function ValuesWall() {
  return (
    <Notice title="Values of live users are not shown to viewers.">
      They are health data of real people. Devices, events and states are shown; for the values, ask an owner
      for the role of a developer, or look at the sandbox, where everybody is made up.
    </Notice>
  );
}
