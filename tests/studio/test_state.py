"""What the pages of a studio are told, and when."""

import asyncio
from pathlib import Path

import pytest

from ancestral.studio.state import Studio


def test_news_that_came_while_a_page_did_not_wait_are_told_at_once(tmp_path: Path) -> None:
    """A finished stage leaves the version of the project as it is; a page that counts news hears of it all the same."""

    async def story() -> None:
        studio = Studio(tmp_path, ahead=False)
        seen = await studio.as_dict()
        studio.changed()
        assert studio.project.version == seen["version"]
        await asyncio.wait_for(studio.wait(seen["version"], seen["news"]), 5)
        seen = await studio.as_dict()
        with pytest.raises(TimeoutError):  # it has heard of everything, and waits
            await asyncio.wait_for(studio.wait(seen["version"], seen["news"]), 0.1)
        await studio.close()

    asyncio.run(story())
