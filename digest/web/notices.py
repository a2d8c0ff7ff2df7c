"""What the small pages say."""

from __future__ import annotations

from digest.render.web import Button, Notice
from digest.store.subscribers import Subscriber

UNKNOWN = Notice(
    title="This link leads nowhere",
    lines=(
        "It may have lost a part on its way.",
        "Open the link in your mail or feed reader again, or copy the whole of it.",
    ),
)
FRONT = Notice(
    title="Nothing to see here",
    lines=("What is sent from here has pages of its own: follow the links in your mail or feed.",),
)
FEED_ENDED = Notice(
    title="This feed has ended",
    lines=("Nothing new will come here. You can take it out of your feed reader.",),
)
NOT_ALLOWED = Notice(
    title="That cannot be done here", lines=("Open the link in your mail or feed reader again.",)
)
TOO_LONG = Notice(
    title="That is too much", lines=("What was sent here is longer than anything that we read.",)
)
LATER = Notice(
    title="Please try again in a minute",
    lines=("Something of ours does not work just now. Nothing was changed.",),
)
FAILED = Notice(
    title="Something went wrong",
    lines=("It is our mistake, and those who run this have been told. Please try again later.",),
)


def about(subscriber: Subscriber, token: str) -> Notice:
    """What a reader can do about a digest: stop it, or get it again.

    Args:
        subscriber: who, and how it stands.
        token: of the link that led here.
    """
    where = shown_address(subscriber)
    if subscriber.stopped:
        return Notice(
            title="You are unsubscribed",
            lines=(f"{subscriber.title} no longer goes to {where}.",),
            button=Button(label="Subscribe again", action=f"../subscribe/{token}"),
            aside="Stopped by mistake?",
        )
    if subscriber.came_back and not subscriber.digest_ended:
        return Notice(
            title="Mail came back",
            lines=(f"{subscriber.title} does not go to {where} now, because mails to it came back.",),
            button=Button(label="Send it again", action=f"../subscribe/{token}"),
            aside="Does your address take mail again?",
        )
    if subscriber.digest_ended or not subscriber.active:
        return Notice(
            title="Nothing goes there any more",
            lines=(
                f"{subscriber.title} is not sent to {where} now, because those who run it ended that.",
                "Should they take it up again, it will not come if you unsubscribe here.",
            ),
            button=Button(label="Unsubscribe", action=f"../unsubscribe/{token}"),
            aside="To make sure of that:",
        )
    return Notice(
        title="Unsubscribe?",
        lines=(f"{subscriber.title} goes to {where}. Press the button, and it stops at once.",),
        button=Button(label="Unsubscribe", action=f"../unsubscribe/{token}"),
    )


def back(subscriber: Subscriber, token: str) -> Notice:
    """What a reader is told who wanted to get a digest again."""
    if subscriber.active and not subscriber.digest_ended:
        return Notice(
            title="You are subscribed again",
            lines=(
                f"{subscriber.title} goes to {shown_address(subscriber)} again, from the next edition on.",
            ),
            button=Button(label="Unsubscribe", action=f"../unsubscribe/{token}"),
            aside="Did you not want that?",
        )
    return Notice(
        title="It cannot come back by itself",
        lines=(
            f"Those who run it no longer send {subscriber.title} to {shown_address(subscriber)}. Please ask them.",
        ),
    )


def shown_address(subscriber: Subscriber) -> str:
    """The address as who has it knows it, and as nobody learns it to whom the mail was passed on."""
    if subscriber.channel != "smtp":
        return f"a folder ({subscriber.channel})"
    name, _, domain = subscriber.address.rpartition("@")
    return f"{name[:1]}•••@{domain}"
