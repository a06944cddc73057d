# Calls whose bodies and answers go through models that datamodel-code-generator made for pydantic (the module `generated` on the path).
import json
import os
import urllib.request

import generated as models
from pydantic import TypeAdapter

url, key = os.environ["WAXWING_URL"], os.environ["WAXWING_KEY"]
sender = "hello@acme.example"


def call(name, method, path, expected, body=None):
    """Sends `body`, a model or plain values, and reads the answer as `expected`, which checks every format."""
    data = None
    if body is not None:
        plain = body if isinstance(body, dict) else body.model_dump(mode="json", by_alias=True, exclude_none=True)
        data = json.dumps(plain).encode()
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    request = urllib.request.Request(url + path, data=data, method=method, headers=headers)
    with urllib.request.urlopen(request) as answer:
        read = TypeAdapter(expected).validate_json(answer.read())
    print(name)
    return read


template = call(
    "create template",
    "POST",
    "/templates",
    models.Template,
    {"name": "Receipt", "subject": "Order {{order}}", "body": "<p>Thanks, {{name}}</p>", "from": sender},
)
sent = call(
    "send",
    "POST",
    "/v1/send",
    models.SendResult,
    models.SendRequest.model_validate(
        {
            "from": sender,
            "to": {"email": "ada@example.com", "name": "Ada"},
            "reply": "Support <support@acme.example>",
            "subject": "Hi",
            "body": "<p>Hi</p>",
        }
    ),
)
call(
    "send template",
    "POST",
    "/v1/send",
    models.SendResult,
    models.SendRequest.model_validate(
        {"to": ["grace@example.com"], "template": str(template.id), "data": {"order": 1042, "name": "Grace"}}
    ),
)
message = {"from": sender, "to": "alan@example.com", "subject": "Hi", "body": "Hi"}
batch = call(
    "send batch",
    "POST",
    "/v1/send/batch",
    models.SendBatchResult,
    models.SendBatchRequest(messages=[message, {"to": "nobody"}]),
)
for result in batch.data.results:
    if isinstance(result, models.AcceptedMessage):
        print("accepted", result.data.emails[0].contact.email)
    else:
        print("refused", result.error.code)
contact = call(
    "create contact",
    "POST",
    "/contacts",
    models.CreatedContact,
    {"email": "mary@example.com", "data": {"plan": "pro"}},
)
call("get contact", "GET", f"/contacts/{contact.id}", models.Contact)
call("list contacts", "GET", "/contacts?limit=10", models.ContactCursorPage)
call(
    "track event",
    "POST",
    "/events/track",
    models.TrackResult,
    {"contactId": str(contact.id), "event": "ordered", "data": {"sum": 3}},
)
email = call("get email", "GET", f"/emails/{sent.data.emails[0].email}", models.EmailWithContent)
assert email.replyTo == '"Support" <support@acme.example>', email.replyTo
call("list emails", "GET", "/emails?to=example&status=PENDING", models.EmailCursorPage)
condition = models.FilterTree.model_validate(
    {"logic": "AND", "groups": [{"filters": [{"field": "data.plan", "operator": "equals", "value": "pro"}]}]}
)
call(
    "create segment",
    "POST",
    "/segments",
    models.Segment,
    {"name": "Paying", "condition": condition.model_dump(mode="json", exclude_none=True)},
)
call(
    "create endpoint",
    "POST",
    "/webhook-endpoints",
    models.WebhookEndpointWithSecret,
    models.WebhookEndpointRequest.model_validate(
        {"url": "https://hooks.example.com/mail", "eventTypes": ["email.bounce"]}
    ),
)
endpoints = call("list endpoints", "GET", "/webhook-endpoints", list[models.WebhookEndpoint])
call(
    "list deliveries",
    "GET",
    f"/webhook-endpoints/{endpoints[0].id}/deliveries",
    models.WebhookDeliveryCursorPage,
)
