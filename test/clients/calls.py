# Calls by a client that openapi-python-client made (the package `generated` on the path), as an application would write them.
import os

from generated import AuthenticatedClient
from generated.api.contacts import get_contacts, get_contacts_by_id, post_contacts
from generated.api.emails import get_emails, get_emails_by_id
from generated.api.events import post_events_track
from generated.api.public_api import post_v1_send, post_v1_send_batch
from generated.api.segments import post_segments
from generated.api.templates import post_templates
from generated.api.webhooks import (
    get_webhook_endpoints,
    get_webhook_endpoints_by_id_deliveries,
    post_webhook_endpoints,
)
from generated import models
from generated.types import UNSET

client = AuthenticatedClient(base_url=os.environ["WAXWING_URL"], token=os.environ["WAXWING_KEY"])
sender = "hello@acme.example"


def good(name, answer, expected):
    assert isinstance(answer, expected), f"{name}: {answer}"
    print(name)
    return answer


def data_of(kind, values):
    data = kind()
    data.additional_properties = values
    return data


template = good(
    "create template",
    post_templates.sync(
        client=client,
        body=models.PostTemplatesBody(
            name="Receipt", subject="Order {{order}}", body="<p>Thanks, {{name}}</p>", from_=sender
        ),
    ),
    models.Template,
)
sent = good(
    "send",
    post_v1_send.sync(
        client=client,
        body=models.SendRequest(
            from_=sender,
            to=models.Mailbox(email="ada@example.com", name="Ada"),
            subject="Hi",
            body="<p>Hi</p>",
        ),
    ),
    models.SendResult,
)
good(
    "send template",
    post_v1_send.sync(
        client=client,
        body=models.SendRequest.from_dict(
            {"to": ["grace@example.com"], "template": str(template.id), "data": {"order": 1042, "name": "Grace"}}
        ),
        idempotency_key="order-1042",
    ),
    models.SendResult,
)
batch = good(
    "send batch",
    post_v1_send_batch.sync(
        client=client,
        body=models.SendBatchRequest(
            messages=[{"from": sender, "to": "alan@example.com", "subject": "Hi", "body": "Hi"}, {"to": "nobody"}]
        ),
    ),
    models.SendBatchResult,
)
for result in batch.data.results:
    if isinstance(result, models.AcceptedMessage):
        print("accepted", result.data.emails[0].contact.email)
    else:
        print("refused", result.error.code)
contact = good(
    "create contact",
    post_contacts.sync(
        client=client,
        body=models.PostContactsBody(
            email="mary@example.com", data=data_of(models.PostContactsBodyDataType0, {"plan": "pro"})
        ),
    ),
    models.CreatedContact,
)
good("get contact", get_contacts_by_id.sync(contact.id, client=client), models.Contact)
good("list contacts", get_contacts.sync(client=client, limit=10), models.ContactCursorPage)
good(
    "track event",
    post_events_track.sync(
        client=client,
        body=models.PostEventsTrackBody(
            contact_id=contact.id, event="ordered", data=data_of(models.PostEventsTrackBodyDataType0, {"sum": 3})
        ),
    ),
    models.TrackResult,
)
good("get email", get_emails_by_id.sync(sent.data.emails[0].email, client=client), models.EmailWithContent)
good(
    "list emails",
    get_emails.sync(client=client, to="example", status=models.GetEmailsStatus.PENDING),
    models.EmailCursorPage,
)
condition = models.Filter(field="data.plan", operator=models.FilterOperator.EQUALS, value="pro")
good(
    "create segment",
    post_segments.sync(
        client=client,
        body=models.PostSegmentsBody(
            name="Paying",
            condition=models.FilterTree(
                logic=models.FilterTreeLogic.AND, groups=[models.FilterGroup(filters=[condition], conditions=UNSET)]
            ),
        ),
    ),
    models.Segment,
)
good(
    "create endpoint",
    post_webhook_endpoints.sync(
        client=client,
        body=models.WebhookEndpointRequest(url="https://hooks.example.com/mail", event_types=["email.bounce"]),
    ),
    models.WebhookEndpointWithSecret,
)
endpoints = good("list endpoints", get_webhook_endpoints.sync(client=client), list)
good(
    "list deliveries",
    get_webhook_endpoints_by_id_deliveries.sync(endpoints[0].id, client=client),
    models.WebhookDeliveryCursorPage,
)
