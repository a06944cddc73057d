// English, and the pattern of every other language. One file per page; what several pages say is in words.ts.
import { account } from './account'
import { activity } from './activity'
import { analytics } from './analytics'
import { campaigns } from './campaigns'
import { contacts } from './contacts'
import { domains } from './domains'
import { events } from './events'
import { filter } from './filter'
import { forms } from './forms'
import { instance } from './instance'
import { keys } from './keys'
import { layouts } from './layouts'
import { messages } from './messages'
import { outbox } from './outbox'
import { overview } from './overview'
import { profile } from './profile'
import { reference } from './reference'
import { secondFactor } from './second-factor'
import { segments } from './segments'
import { settings } from './settings'
import { suppressions } from './suppressions'
import { templates } from './templates'
import { topics } from './topics'
import { webhooks } from './webhooks'
import { errors, formats, mailImages, navigation, words } from './words'
import { workflows } from './workflows'
import { writing } from './writing'

export const en = {
  words,
  errors,
  formats,
  mailImages,
  navigation,
  account,
  outbox,
  overview,
  messages,
  contacts,
  workflows,
  domains,
  filter,
  settings,
  keys,
  profile,
  secondFactor,
  reference,
  instance,
  segments,
  topics,
  forms,
  templates,
  layouts,
  campaigns,
  writing,
  events,
  activity,
  analytics,
  suppressions,
  webhooks,
}
