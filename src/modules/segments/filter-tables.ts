// Filters as SQL on the tables of this program.
import { makeFilterSql } from '../../filters/sql'
import { contacts } from '../contacts/schema'
import { emails } from '../emails/schema'
import { events } from '../events/schema'
import { segmentMembers } from './schema'

export const filterSql = makeFilterSql({ contacts, events, emails, members: segmentMembers })
