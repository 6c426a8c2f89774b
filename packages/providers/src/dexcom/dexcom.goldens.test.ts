import { describeGoldens } from '../test/goldens.ts';
import { dexcom } from './index.ts';

const times = ['displayTime', 'systemTime'];

describeGoldens(dexcom, import.meta.dirname, {
  fields: {
    egvs: [...times, 'recordId', 'unit', 'value'],
    events: [...times, 'eventStatus', 'eventType', 'recordId', 'unit', 'value'],
  },
});
