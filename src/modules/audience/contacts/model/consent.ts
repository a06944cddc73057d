// Requests and answers of the ledger of consent.
import { type Static, t } from 'elysia'
import { nullableAddress, nullableId } from '../../../../lib/answered'
import { oneOfWords } from '../../../../lib/described'
import { cursorListOf, cursorQuery } from '../../../../lib/paging'
import type { ConsentChange } from '../queries/consent'
import { consentSources, consentStates } from '../schema'

export const consentQuery = t.Object(cursorQuery)

const nullable = (description: string) => t.Union([t.String(), t.Null()], { description })

export const consentAnswer = t.Object(
  {
    version: t.Integer({ description: 'Ascends with each change of the contact' }),
    at: t.String({ format: 'date-time' }),
    topicId: nullableId({ description: 'Topic of the change; null if it is about all marketing email' }),
    topic: nullable('The name of the topic'),
    before: t.Union([oneOfWords(consentStates), t.Null()], {
      description: 'Null where the contact was created',
    }),
    after: oneOfWords(consentStates),
    source: oneOfWords(consentSources),
    actor: nullable('Id of a user, a workflow or a form, or the beginning of a key'),
    actorEmail: nullableAddress({ description: 'Email address of that user' }),
    emailId: nullableId({ description: 'Email whose link was clicked, or that bounced or got a complaint' }),
    wording: nullable('What the recipient was shown, with the language'),
    evidence: nullable(
      'What another program recorded of the decision, for one that was imported: `at` is its date there',
    ),
    client: nullable("A keyed hash of the recipient's address and program, where the project keeps it"),
  },
  { title: 'ConsentChange' },
)

export const consentList = cursorListOf(consentAnswer)

export function toConsent({ contactId: _, at, ...change }: ConsentChange): Static<typeof consentAnswer> {
  return { at: at.toISOString(), ...change }
}
