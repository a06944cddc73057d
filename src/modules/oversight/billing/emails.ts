// The mails that tell members how much of a limit is used. Pure.
import { quotedName } from '../../accounts/projects'
import type { NoticeTopic, UsageNotice } from './allowance'

const names: Record<NoticeTopic, string> = {
  all: 'messages of the free tier',
  workflows: 'messages of workflows',
  campaigns: 'messages of campaigns',
  transactional: 'transactional messages',
  inbound: 'inbound messages',
}

const effects: Record<NoticeTopic, string> = {
  all: 'Until the next month (UTC) begins, no more mail is sent or taken in, unless the project subscribes.',
  workflows:
    'Until the next month (UTC) begins, workflows send no more mail; what they would send is kept as failed.',
  campaigns: 'Until the next month (UTC) begins, no campaign can be sent; one that is being sent is paused.',
  transactional: 'Until the next month (UTC) begins, further sends are refused.',
  inbound: 'Until the next month (UTC) begins, inbound mail is dropped.',
}

export function usageEmail(
  project: string,
  { topic, kind, limit, usage }: UsageNotice,
): { subject: string; text: string } {
  const figures = `${usage} of ${limit} ${names[topic]} of this month are used in the project ${quotedName(project)}.`
  if (kind === 'limit')
    return {
      subject: `The project ${quotedName(project)} has reached its limit of ${limit} ${names[topic]}`,
      text: [figures, effects[topic], 'A higher limit in the billing settings takes effect at once.'].join(
        '\n\n',
      ),
    }
  return {
    subject: `The project ${quotedName(project)} has used ${Math.floor((usage / limit) * 100)} % of its ${names[topic]}`,
    text: [figures, `At the limit: ${effects[topic]}`].join('\n\n'),
  }
}
